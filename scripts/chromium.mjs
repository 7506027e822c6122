// Finds a Chromium for the tests: CHROMIUM_PATH, the system's, or Playwright's own.
// As a script, prints the path, or exits with 1 if there is none; with --headless-shell, of that one.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The features that Playwright turns off and these tests want off too: this flag replaces Playwright's own. With
 * PaintHolding on, a document that has just loaded may draw no frame and take no press, above all in a frame of another
 * site. Storage partitioning is not on the list, so it stays on, as in a plain Chromium. The address bar's suggestions are
 * pages of their own, in a process that each new window starts: a sixth of the suite's processor time, for nothing to see.
 */
const FEATURES_OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
  'AimEnabled',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

/** A Chromium that may not partition the storage of other sites' frames gives them none. */
export const NO_FRAME_STORAGE = `--disable-features=${[...FEATURES_OFF, 'ThirdPartyStoragePartitioning'].join(',')}`;

/** Flags for a Chromium under test: no sandbox (root needs that), no calls home, storage partitioned as in a plain Chromium. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${FEATURES_OFF.join(',')}`,
];

/** @returns {Promise<string | undefined>} the executable's path */
export async function chromiumPath() {
  const candidates = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const found = candidates.find((path) => path && existsSync(path));
  if (found) return found;
  const { chromium } = await import('playwright-core');
  const own = chromium.executablePath();
  return own && existsSync(own) ? own : undefined;
}

/**
 * Finds Chromium's engine without its windows and tabs, which takes a fifth less processor time: HEADLESS_SHELL_PATH, or
 * Debian's. What it lacks needs `chromiumPath`: `WHOLE_BROWSER` in
 * tests/e2e/fixtures.ts lists it.
 * @returns {string | undefined} the executable's path
 */
export function headlessShellPath() {
  const candidates = [process.env.HEADLESS_SHELL_PATH, '/usr/bin/chromium-headless-shell'];
  return candidates.find((path) => path && existsSync(path));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = process.argv.includes('--headless-shell') ? headlessShellPath() : await chromiumPath();
  if (!path) process.exit(1);
  console.log(path);
}
