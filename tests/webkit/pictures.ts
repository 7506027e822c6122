/**
 * Takes pictures of the framed wallet's screens in WebKitGTK, on a page that its operator trusts, next to Chromium's:
 * `<screen>-narrow-dark-webkit.png`. Narrow is
 * 320 CSS pixels. Usage: node --import tsx tests/webkit/pictures.ts, or scripts/demo.sh --pictures --webkit.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RELAYER, ROOT } from '../../dev/services/services.js';
import type { ElementRef } from '../engines/browser.js';
import {
  agreeInWindow,
  agreeUntil,
  batchResults,
  cancel,
  chooseInMenu,
  confirmationShown,
  type Demo,
  findOffer,
  isLoggedIn,
  logIn,
  press,
  pressUntilGone,
  startAs,
  startBatch,
  startExport,
  startMessage,
  toWallet,
  until,
  VIEWER,
} from '../engines/steps.js';
import { startLocalStack } from '../support/local-stack.js';
import { line } from '../support/report.js';
import { startWebKit, type WebKit } from './webkit.js';

const FOLDER = join(ROOT, 'screenshots');
/** CSS pixels in which narrow fits MiniBrowser's window. */
const ZOOM = 1.5;
const WIDTHS = { wide: { width: 1100, height: 860 }, narrow: { width: 320, height: 740 } };

/** Between two looks at a picture. */
const LOOK_MS = 300;
/** A press that has shown nothing for so long has missed. */
const MISSED_MS = 10_000;
/** A spinner never rests. */
const MAX_LOOKS = 4;
/** Holds nearly the whole page, so that little scrolls. */
const WHOLE = { width: 1100, height: 1500 };

let count = 0;

async function photograph(demo: Demo, webkit: WebKit, theme: string): Promise<void> {
  const take = async (screen: string, widths: readonly (keyof typeof WIDTHS)[] = ['wide', 'narrow']) => {
    for (const width of widths) {
      await webkit.resize(WIDTHS[width]);
      const file = join(FOLDER, `${screen}-${width}-${theme}-webkit.png`);
      // The window's own picture follows a little later.
      let before = Buffer.alloc(0);
      for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        await webkit.screenshot(file);
        const now = await readFile(file);
        if (now.equals(before)) break;
        before = now;
      }
      count += 1;
    }
    await webkit.resize(WHOLE);
  };
  const username = `webkit-${theme}`;
  await webkit.resize(WHOLE);
  await until(demo, 'login menu', () => webkit.find('button', 'Continue'));
  await take('welcome-register');
  await startAs(demo, 'Register', username);
  await confirmationShown(demo);
  await take('confirm-registration-asked-modal');
  await cancel(demo);
  await startAs(demo, 'Register', username);
  await agreeUntil(demo, 'offer of a window', async () => (await toWallet(demo)) && findOffer(demo));
  await take('window-offer');
  await agreeInWindow(demo, 'Continue with passkey');
  await until(demo, 'account', () => isLoggedIn(demo));
  await take('wallet-and-toast');

  await startBatch(demo, [
    { recipient: RELAYER, near: '0.001' },
    { recipient: RELAYER, near: '0.002' },
  ]);
  await confirmationShown(demo);
  await take('confirm-batch-modal');
  await cancel(demo);
  await startMessage(demo, 'This account is mine.');
  await confirmationShown(demo);
  await take('confirm-message-modal');
  await cancel(demo);
  await press(demo, 'Send all');
  await batchResults(demo);
  await take('demos-used');

  // A fresh page shows everything without scrolling.
  await webkit.open(demo.stack.appUrl);
  await until(demo, 'login menu', () => webkit.find('button', 'Continue'));
  await logIn(demo);

  const inViewer = async (): Promise<boolean> => {
    const viewer = (await toWallet(demo)) && (await webkit.evaluate<ElementRef | null>(VIEWER));
    if (!viewer) return false;
    await webkit.intoFrame(viewer);
    return (await webkit.find('button', 'Continue with passkey')) !== null;
  };
  await openBy(demo, 'the key viewer', () => startExport(demo), inViewer);
  await take('key-viewer-warning');
  await until(demo, 'end of the viewer', async () => {
    if (!(await inViewer())) return true;
    const button = await webkit.find('button', 'Cancel');
    if (button) await webkit.press(button);
    return false;
  });

  await openBy(
    demo,
    'the settings',
    () => chooseInMenu(demo, 'Transaction Settings'),
    async () => (await toWallet(demo)) && webkit.find('latchkey-settings >>> select:enabled'),
  );
  await take('settings');
  await pressUntilGone(demo, 'latchkey-settings >>> button', 'Close');

  await openBy(
    demo,
    'the devices',
    () => chooseInMenu(demo, 'Linked Devices'),
    () => webkit.find('latchkey-devices >>> li'),
  );
  await take('linked-devices');
}

/** Opens a screen, again until it is there: with a zoom, a press right after scrolling misses. */
async function openBy(
  demo: Demo,
  name: string,
  open: () => Promise<void>,
  isThere: () => Promise<unknown>,
): Promise<void> {
  await until(demo, name, async () => {
    await open();
    for (const deadline = Date.now() + MISSED_MS; Date.now() < deadline; ) {
      if (await isThere()) return true;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      await demo.browser.toPage();
    }
    return false;
  });
}

await mkdir(FOLDER, { recursive: true });
const started = Date.now();
for (const theme of ['dark', 'light']) {
  const webkit = await startWebKit({ isDark: theme === 'dark', zoom: ZOOM });
  try {
    const stack = await startLocalStack({
      blockTimeMs: 100,
      maxBlockAge: 3_000,
      framed: true,
      isTrusted: true,
    });
    try {
      await webkit.open(stack.appUrl);
      await photograph({ browser: webkit, stack }, webkit, theme);
    } finally {
      await stack.stop();
    }
  } finally {
    await webkit.stop();
  }
}
line('✓', 'Screens in WebKit', Date.now() - started, `${count} pictures: wide, narrow, light, dark`);
