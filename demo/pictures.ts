// Takes pictures of every screen, wide and narrow, light and dark, and checks each screen with axe-core.
// Usage: node --import tsx demo/pictures.ts [--same-origin] [--phones] [--audited] [--languages]. --phones: also at the width of a phone
// of today. --audited: only those that axe-core checks. --languages: the wallet's own screens also in every other language. Writes to
// screenshots/; the exit code reports whether every screen has its pictures and axe-core found nothing.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDevice } from '../tests/support/device.js';
import type { LocalStack } from '../tests/support/local-stack.js';
import { line, said } from '../tests/support/report.js';
import { AUDITED, type Camera, createCamera, LOOKS } from './tour/camera.js';
import { emptyScreenshots, takeFailures, withStack } from './tour/run.js';
import { missingPictures, openRoom, photograph } from './tour/surfaces.js';

const BLOCK_TIME_MS = 100;
/** Two minutes, the lifetime of a registration's challenge on the public chains. */
const MAX_BLOCK_AGE = 1200;
/** Those that the wallet has besides English. */
const LANGUAGES = ['de', 'ar'];
/** The chain is a new one, so that no account has the name. */
const USERNAME = 'alice';

async function pictures(
  stack: LocalStack,
  camera: Camera,
  file: string,
  screenshots: string,
): Promise<boolean> {
  const started = Date.now();
  const desk = await openDevice(stack, file);
  const room = await openRoom(desk, stack, USERNAME);
  try {
    await photograph(room, camera);
    const complaints = camera.complaints();
    if (complaints.length > 0) throw new Error(`axe-core found:\n  ${complaints.join('\n  ')}`);
    const missing = missingPictures(await readdir(screenshots), looks, stack.walletOrigin !== null);
    if (missing.length > 0) throw new Error(`No picture was taken of ${missing.join(', ')}.`);
    const summary = `${camera.count()} pictures: ${looks.join(', ')}; axe-core finds nothing against WCAG 2.2 AA`;
    line('✓', 'Every screen', Date.now() - started, summary);
    return true;
  } catch (error) {
    line('✗', 'Every screen', Date.now() - started, said(error));
    await takeFailures(camera, { desk, phone: room.phone, tablet: room.tablet });
    return false;
  } finally {
    await desk.browser.close();
  }
}

const { values } = parseArgs({
  options: {
    'same-origin': { type: 'boolean', default: false },
    phones: { type: 'boolean', default: false },
    audited: { type: 'boolean', default: false },
    languages: { type: 'boolean', default: false },
  },
});
const screenshots = await emptyScreenshots();
const looks = values.audited ? AUDITED : LOOKS;
const camera = createCamera(screenshots, {
  withPhone: values.phones,
  onlyAudited: values.audited,
  languages: values.languages ? LANGUAGES : [],
});
const isGood = await withStack(
  { framed: !values['same-origin'], blockTimeMs: BLOCK_TIME_MS, maxBlockAge: MAX_BLOCK_AGE },
  (stack, folder) => pictures(stack, camera, join(folder, 'desk.y4m'), screenshots),
);
process.exitCode = isGood ? 0 : 1;
