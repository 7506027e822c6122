import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS, chromiumPath, headlessShellPath } from './scripts/chromium.mjs';
import type { WorkerFixtures } from './tests/e2e/fixtures.js';

const wholeBrowser = await chromiumPath();
const launch = (executablePath: string | undefined) => ({
  launchOptions: { args: CHROMIUM_FLAGS, ...(executablePath ? { executablePath } : {}) },
});

/** A folder that keeps a trace of each test that fails; scripts/test-repeat.sh sets it. */
const traces = process.env.LATCHKEY_TRACES;

/** The specs of what exists only where the wallet has an origin of its own. */
const FRAME_ONLY = /e2e\/(frame|attack-host|wallet-page|wallet-home)[\w-]*\.spec\.ts/;
/** The wallet in the app's page and in a frame of it. The tests that a frame could change run in both. */
const MODES = [
  { mode: 'page', testIgnore: FRAME_ONLY, grep: /(?:)/, framed: false },
  { mode: 'frame', grep: new RegExp(`@framed|${FRAME_ONLY.source}`), framed: true },
];
/** The tests that need what the headless shell lacks; `WHOLE_BROWSER` in fixtures.ts tells why. */
const WHOLE = /@whole-browser/;

export default defineConfig<object, WorkerFixtures>({
  testDir: 'tests',
  testMatch: 'e2e/**/*.spec.ts',
  globalSetup: './tests/e2e/setup.ts',
  outputDir: traces ?? 'test-results',
  // Each worker runs its own stack and takes any test.
  workers: 3,
  fullyParallel: true,
  // A flaky test is a bug to find.
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Long enough for a machine that does other work: a test that hangs takes longer than any that is slow.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  // Most tests run in the headless shell, where this machine has it: it takes a fifth less processor time.
  projects: MODES.flatMap(({ mode, grep, framed, ...files }) => [
    {
      ...files,
      name: mode,
      grep,
      grepInvert: WHOLE,
      use: { framed, ...launch(headlessShellPath() ?? wholeBrowser) },
    },
    {
      ...files,
      name: `${mode}, whole browser`,
      grep: new RegExp(`(?=.*${WHOLE.source})(?=.*(?:${grep.source}))`),
      use: { framed },
    },
  ]),
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1100, height: 860 },
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    ...(traces && { trace: 'retain-on-failure' }),
    ...launch(wholeBrowser),
  },
});
