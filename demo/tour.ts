// Drives the whole stack in headless Chromium with virtual passkeys, prints what each step cost, and takes a picture of
// every surface. Usage: node --import tsx demo/tour.ts [--same-origin]. The pictures go to screenshots/; the exit code says
// whether every step held.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Device, openDevice } from './stack/device.js';
import { type LocalStack, startLocalStack } from './stack/local-stack.js';
import { ROOT } from './stack/services.js';
import type { Wallet } from './stack/wallet.js';
import { type Camera, createCamera } from './tour/camera.js';
import { type Step, steps } from './tour/steps.js';
import { openRoom, photograph } from './tour/surfaces.js';

const SCREENSHOTS = join(ROOT, 'screenshots');
const BLOCK_TIME_MS = 600;

/** `2 prompts (create, get)`. */
function list(noun: string, names: string[]): string {
  const count = `${names.length} ${noun}${names.length === 1 ? '' : 's'}`;
  return names.length === 0
    ? count
    : `${count} (${names.map((name) => name.replace(/^query:/, '')).join(', ')})`;
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const line = (mark: string, title: string, ms: number, text: string) =>
  console.log(`${mark} ${title.padEnd(20)} ${String(ms).padStart(6)} ms   ${text}`);

/** Runs one step and prints what it cost, on both devices together. */
async function show(step: Step, first: Device, second: Device): Promise<void> {
  const before = second.prompts.length;
  let proof = '';
  const { ms, prompts, rpc, relay } = await first.during(async () => {
    proof = await step.run();
  });
  line('✓', step.title, ms, proof);
  const asked = [...prompts, ...second.prompts.slice(before)].map(({ kind }) => kind);
  console.log(`  ${[list('prompt', asked), list('RPC call', rpc), list('relay call', relay)].join(' · ')}`);
}

async function tour(stack: LocalStack, camera: Camera, folder: string): Promise<boolean> {
  const username = `tour-${Date.now().toString(36)}`;
  const first = await openDevice(stack, join(folder, 'first.y4m'));
  const second = await openDevice(stack, join(folder, 'second.y4m'));
  try {
    for (const step of steps({ first, second, stack, username })) {
      const started = Date.now();
      try {
        await show(step, first, second);
      } catch (error) {
        line('✗', step.title, Date.now() - started, said(error));
        await failures(camera, { first, second });
        return false;
      }
    }
  } finally {
    await first.browser.close();
    await second.browser.close();
  }
  return pictures(stack, camera, `${username}-p`, join(folder, 'desk.y4m'));
}

/** What each device shows after a failure. */
async function failures(camera: Camera, wallets: Record<string, Wallet>): Promise<void> {
  for (const [name, { page }] of Object.entries(wallets)) {
    await camera
      .takeFailure(page, `failed-${name}`)
      .catch((error: unknown) => console.log(`  No picture of ${name}: ${said(error)}`));
  }
}

/** The surfaces, in both themes, wide and narrow. */
async function pictures(stack: LocalStack, camera: Camera, username: string, file: string): Promise<boolean> {
  const started = Date.now();
  const desk = await openDevice(stack, file);
  const room = await openRoom(desk, stack, username);
  try {
    await photograph(room, camera);
    const complaints = camera.complaints();
    if (complaints.length > 0) throw new Error(`axe-core found:\n  ${complaints.join('\n  ')}`);
    const looks = `${camera.count()} pictures: wide, narrow, light, dark; axe-core finds nothing against WCAG 2.2 AA`;
    line('✓', 'Every surface', Date.now() - started, looks);
    return true;
  } catch (error) {
    line('✗', 'Every surface', Date.now() - started, said(error));
    await failures(camera, { desk, phone: room.phone, tablet: room.tablet });
    return false;
  } finally {
    await desk.browser.close();
  }
}

const { values } = parseArgs({ options: { 'same-origin': { type: 'boolean', default: false } } });
const isFramed = !values['same-origin'];
await rm(SCREENSHOTS, { recursive: true, force: true });
await mkdir(SCREENSHOTS, { recursive: true });
const folder = await mkdtemp(join(tmpdir(), 'latchkey-tour-'));
let stack: LocalStack | undefined;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, async () => {
    await stack?.stop();
    process.exit(1);
  });
}
const started = Date.now();
stack = await startLocalStack({ blockTimeMs: BLOCK_TIME_MS, framed: isFramed });
const services = isFramed ? 'Chain, relay, wallet and app' : 'Chain, relay and app';
console.log(`${services} were up after ${((Date.now() - started) / 1000).toFixed(1)} s.\n`);
let good = false;
try {
  good = await tour(stack, createCamera(SCREENSHOTS), folder);
} finally {
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
}
console.log(`\n${good ? 'Every step held' : 'A step failed'}. Screenshots are in screenshots/.`);
process.exitCode = good ? 0 : 1;
