import react from '@vitejs/plugin-react';
import { latchkeyButton } from 'latchkey-react/vite';
import { defineConfig, loadEnv } from 'vite';
import { FEW_FILES } from '../../scripts/chunks.mjs';
import { shownCode } from './vite/code.js';
import { CSS_TARGET } from './vite/css-target.js';
import { docs } from './vite/docs/plugin.js';
import { noPageUnderSdk } from './vite/sdk.js';
import { requireVariables } from './vite/variables.js';

const port = Number(process.env.APP_PORT ?? 5173);

export default defineConfig(({ mode }) => {
  const { VITE_SDK_BASE_PATH } = loadEnv(mode, import.meta.dirname);
  const sdkBasePath = VITE_SDK_BASE_PATH || '/sdk';
  return {
    plugins: [
      react(),
      docs(),
      shownCode(),
      latchkeyButton({ sdkBasePath }),
      noPageUnderSdk(sdkBasePath),
      requireVariables(),
    ],
    server: {
      host: 'localhost',
      port,
      strictPort: true,
      // Vite's own list, which this one replaces, and the keys that the demo keeps.
      fs: { deny: ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', '**/.latchkey/**'] },
    },
    preview: { host: 'localhost', port, strictPort: true },
    build: {
      target: 'es2022',
      cssTarget: CSS_TARGET,
      rollupOptions: { output: { codeSplitting: FEW_FILES } },
    },
    // Latchkey starts its workers as modules.
    worker: { format: 'es' },
  };
});
