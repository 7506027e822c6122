import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS, chromiumPath } from './scripts/chromium.mjs';

const executablePath = await chromiumPath();

export default defineConfig({
  testDir: 'tests',
  testMatch: '{e2e,faults}/**/*.spec.ts',
  outputDir: 'test-results',
  // Each worker runs a stack of its own, and takes any test.
  workers: 2,
  fullyParallel: true,
  // A flaky test is a bug to find.
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1100, height: 860 },
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions: { args: CHROMIUM_FLAGS, ...(executablePath ? { executablePath } : {}) },
  },
});
