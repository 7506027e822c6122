// Builds dist/: the library and the Vite plugin with tsc, the QR decoder's worker with esbuild (self-contained, because
// import maps do not reach workers) and the wallet page with Vite, with the button's two scripts. ZXing's WASM goes to wasm/: dist/ and src/ both find
// it at ../../wasm from their scanner/.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { build as buildPage } from 'vite';
import { FEW_FILES } from '../scripts/chunks.mjs';
import { compile } from '../scripts/compile.mjs';
import { jsonAsModules } from '../scripts/json-modules.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

await compile(here, '.', 'vite');
await jsonAsModules(join(here, 'dist/texts'));

await build({
  absWorkingDir: here,
  entryPoints: ['src/scanner/decoder.worker.ts'],
  outdir: 'dist/scanner',
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  allowOverwrite: true,
});
await mkdir(join(here, 'wasm'), { recursive: true });
await copyFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm'), join(here, 'wasm/zxing_reader.wasm'));

// Relative URLs between the files work at any path; index.html gets absolute /sdk/ URLs, which the server maps.
const page = join(here, 'dist/wallet');
await buildPage({
  configFile: false,
  root: join(here, 'wallet'),
  base: './',
  logLevel: 'warn',
  // For the report of `/check`.
  define: { LATCHKEY_VERSION: JSON.stringify(require('latchkey/package.json').version) },
  worker: { format: 'es' },
  plugins: [
    {
      // The facade loads it where the wallet is in a frame. Here is that wallet: what it shares with the frame's start would
      // only be in the way.
      name: 'latchkey-no-host',
      load: (id) =>
        id.endsWith('/frame/host/framed-wallet.js')
          ? 'export const createFramedWallet = undefined;'
          : undefined,
    },
  ],
  build: {
    outDir: page,
    emptyOutDir: true,
    assetsDir: 'sdk',
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rollupOptions: {
      // Base UI's "use client" directives mean nothing here.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
      output: {
        codeSplitting: FEW_FILES,
        chunkFileNames: ({ name }) => `sdk/${name.replace(/^shared~.*/, 'shared')}-[hash].js`,
      },
    },
  },
});
// The two scripts of the embedded transaction button, next to the wallet's files and under the names that hosts rely on.
await build({
  absWorkingDir: here,
  entryPoints: {
    'iframe-tx-button-bootstrap': 'src/button/frame/bootstrap.ts',
    'w3a-button-with-tooltip': 'src/button/frame/element.ts',
  },
  outdir: 'dist/wallet/sdk',
  bundle: true,
  format: 'iife',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
});
// What a connector runs of the wallet, made with the library.
await copyFile(
  join(dirname(require.resolve('latchkey/package.json')), 'dist/near-connect/executor.js'),
  join(page, 'near-connect.js'),
);
const html = await readFile(join(page, 'index.html'), 'utf8');
await writeFile(join(page, 'index.html'), html.replaceAll('"./sdk/', '"/sdk/'));
