// Builds dist/: the library by tsc, and the QR decoder's worker by esbuild, self-contained because import maps do not
// reach workers. ZXing's WASM goes to wasm/: dist/ and src/ both find it at ../../wasm from their scanner/.
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');

await rm(join(here, 'dist'), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: here, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

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
