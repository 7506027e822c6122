import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import type { BrowserInstanceOption } from 'vitest/node';
import { CHROMIUM_FLAGS, chromiumPath, headlessShellPath } from './scripts/chromium.mjs';
import { fakeCameraFlags, showQr } from './scripts/fake-camera.mjs';

const wholeBrowser = await chromiumPath();
// What the browser's camera sees. One test file at a time may use it.
const camera = join(tmpdir(), `latchkey-camera-${process.pid}.y4m`);
const cameraCommands = {
  showQrToCamera: (_context: unknown, text: string) => showQr(camera, text),
  unplugCamera: () => rmSync(camera, { force: true }),
};

const common = { testTimeout: 30_000, hookTimeout: 60_000, expect: { poll: { timeout: 15_000 } } };
/** The servers run on the sources, as what their tests import does: two copies of an error class would not know each other. */
const resolve = {
  alias: {
    'latchkey/internal/server': fileURLToPath(new URL('ts/src/internal/server.ts', import.meta.url)),
  },
};
/** Files of Node that run at the same time. Many wait for blocks. Only projects with one number run side by side. */
const maxWorkers = 3;

/** A Chromium of its own runs these files one after the other, in a project of the name `browser (...)`. */
const chromium = (
  name: string,
  executablePath: string | undefined,
  files: Pick<BrowserInstanceOption, 'include' | 'exclude'>,
) => ({
  browser: 'chromium' as const,
  name: `browser (${name})`,
  provider: playwright({
    // Holds the tests' frame unscaled: what is scaled down does not count as visible (IntersectionObserver v2).
    contextOptions: { viewport: { width: 1280, height: 1000 } },
    launchOptions: {
      args: [...CHROMIUM_FLAGS, ...fakeCameraFlags(camera)],
      ...(executablePath ? { executablePath } : {}),
    },
  }),
  ...files,
});
/** Does with less processor time; what a frame shows needs the whole browser. */
const fastBrowser = headlessShellPath() ?? wholeBrowser;

const FRAME = ['ts/src/{confirm,frame}/**/*.browser.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          ...common,
          name: 'node',
          include: ['{ts,server,react,create,scripts,dev,demo,tests/support}/**/*.test.ts'],
          exclude: ['**/*.browser.test.*', '**/node_modules/**', '**/dist/**'],
          environment: 'node',
          maxWorkers,
        },
      },
      {
        resolve,
        test: {
          ...common,
          name: 'stack',
          include: ['tests/{dev,devnet,faults,flows,passkeys,soak,testnet}/**/*.test.ts'],
          environment: 'node',
          // Chains, relays and wallets that wait for blocks most of the time: so its files run together, after the other projects.
          maxWorkers: 6,
          sequence: { groupOrder: 1 },
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
            '@base-ui/react/menu',
            'qr',
            'qr/decode.js',
            'axe-core',
            'zxing-wasm/reader',
          ],
        },
        test: {
          ...common,
          name: 'browser',
          setupFiles: ['ts/src/storage/testing/empty-storage.ts', 'react/src/testing/no-blur.ts'],
          maxWorkers,
          browser: {
            enabled: true,
            headless: true,
            fileParallelism: false,
            screenshotFailures: false,
            commands: cameraCommands,
            provider: playwright(),
            // The camera's tests are all in one of them.
            instances: [
              chromium('react', fastBrowser, { include: ['react/{src,wallet}/**/*.browser.test.{ts,tsx}'] }),
              chromium('frame', wholeBrowser, { include: FRAME }),
              chromium('ts', fastBrowser, { include: ['ts/src/**/*.browser.test.ts'], exclude: FRAME }),
            ],
          },
        },
      },
    ],
  },
});
