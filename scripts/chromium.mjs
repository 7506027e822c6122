// Finds a Chromium for the tests: CHROMIUM_PATH, the system's, or Playwright's own.
// As a script, prints the path, or exits with 1 if there is none.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Flags for a Chromium under test: no sandbox (root needs that), no calls home, storage partitioned as in a plain Chromium. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-features=HttpsUpgrades',
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = await chromiumPath();
  if (!path) process.exit(1);
  console.log(path);
}
