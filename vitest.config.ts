import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { CHROMIUM_FLAGS, chromiumPath } from './scripts/chromium.mjs';
import { fakeCameraFlags, showQr } from './scripts/fake-camera.mjs';

const executablePath = await chromiumPath();
// What the browser's camera sees. One test file at a time may use it.
const camera = join(tmpdir(), `latchkey-camera-${process.pid}.y4m`);
const cameraCommands = {
  showQrToCamera: (_context: unknown, text: string) => showQr(camera, text),
  unplugCamera: () => rmSync(camera, { force: true }),
};

const common = { testTimeout: 30_000, hookTimeout: 60_000, expect: { poll: { timeout: 15_000 } } };

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
          // Many of them wait for blocks.
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...common,
          name: 'faults',
          include: ['tests/{faults,testnet}/**/*.test.ts'],
          environment: 'node',
          // Its cases wait for blocks most of the time, so all its files run together, and after the other projects.
          maxWorkers: 6,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // Named here, so that a cold cache does not send a running test back to its start.
        optimizeDeps: {
          include: [
            'comlink',
            'idb',
            'valibot',
            '@scure/base',
            'react-dom',
            'react-dom/client',
            '@base-ui/react/csp-provider',
            '@base-ui/react/dialog',
            'qr',
            'qr/decode.js',
            'axe-core',
            'zxing-wasm/reader',
          ],
        },
        test: {
          ...common,
          name: 'browser',
          sequence: { groupOrder: 1 },
          include: ['{ts,react}/src/**/*.browser.test.{ts,tsx}'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            commands: cameraCommands,
            provider: playwright({
              // Holds the tests' frame unscaled: what is scaled down does not count as visible (IntersectionObserver v2).
              contextOptions: { viewport: { width: 1280, height: 1000 } },
              launchOptions: {
                args: [...CHROMIUM_FLAGS, ...fakeCameraFlags(camera)],
                ...(executablePath ? { executablePath } : {}),
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
