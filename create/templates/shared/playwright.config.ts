import { defineConfig } from '@playwright/test';

const url = 'http://localhost:5180';

export default defineConfig({
  testDir: 'tests',
  // A registration and a payment wait for blocks of the chain, and a first page for its compiler.
  timeout: 120_000,
  use: { baseURL: url, trace: 'retain-on-failure' },
  // The app and its stack. One that runs already is used as it is.
  webServer: {
    command: 'npm run dev',
    url,
    timeout: 120_000,
    reuseExistingServer: true,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
});
