// Builds dist/: the library by tsc, and by esbuild the files that are self-contained: the workers, because import maps
// do not reach them, and the two viewers, whose document may load no module. The WASM stays where it is: dist/ and
// src/ both find it at ../../wasm from their workers/.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { compile } from '../scripts/compile.mjs';

const here = dirname(fileURLToPath(import.meta.url));

await compile(here, 'tsconfig.build.json');

const selfContained = {
  absWorkingDir: here,
  bundle: true,
  target: 'es2022',
  minifyWhitespace: true,
  minifyIdentifiers: true,
  legalComments: 'none',
  sourcemap: true,
  allowOverwrite: true,
};
await build({
  ...selfContained,
  entryPoints: ['signer', 'vrf', 'phrase'].map((name) => `src/workers/${name}.worker.ts`),
  outdir: 'dist/workers',
  format: 'esm',
});
// A connector writes it into a document of its own, as text.
await build({
  ...selfContained,
  entryPoints: ['src/near-connect/executor.ts'],
  outdir: 'dist/near-connect',
  format: 'esm',
  minifySyntax: true,
  sourcemap: false,
});
await build({
  ...selfContained,
  entryPoints: ['src/export/key-viewer.ts', 'src/export/phrase-viewer.ts'],
  outdir: 'dist/export',
  format: 'iife',
  minifySyntax: true,
  // No comment in it: bundlers emit the file as it is, without its map.
  sourcemap: 'external',
});
