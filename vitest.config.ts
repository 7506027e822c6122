import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { CHROMIUM_FLAGS, chromiumPath } from './scripts/chromium.mjs';

const executablePath = await chromiumPath();
const common = { testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'node',
          include: ['{ts,react,scripts,demo}/**/*.test.ts', 'tests/{devnet,soak}/**/*.test.ts'],
          exclude: ['**/*.browser.test.*', '**/node_modules/**', '**/dist/**'],
          environment: 'node',
        },
      },
      {
        // Named here, so that a cold cache does not send a running test back to its start.
        optimizeDeps: {
          include: ['comlink', 'idb', 'valibot', '@scure/base', 'react-dom/client', '@base-ui/react/dialog'],
        },
        test: {
          ...common,
          name: 'browser',
          include: ['{ts,react}/src/**/*.browser.test.{ts,tsx}'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { args: CHROMIUM_FLAGS, ...(executablePath ? { executablePath } : {}) },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
