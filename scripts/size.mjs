// What a user downloads, or a backend bundles, brotli-compressed, against its budget. Exits with 1 when one is broken.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const KB = 1000;

const budgets = [
  { name: 'signer WASM', limit: 100 * KB, bytes: () => readFile(`${root}ts/wasm/signer/signer_bg.wasm`) },
  { name: 'VRF WASM', limit: 80 * KB, bytes: () => readFile(`${root}ts/wasm/vrf/vrf_bg.wasm`) },
  {
    name: 'same-origin wallet, JavaScript without React',
    limit: 45 * KB,
    bytes: () => bundle(`${root}ts/dist/index.js`),
  },
  {
    name: 'latchkey/verify, for a backend',
    limit: 15 * KB,
    bytes: () => bundle(`${root}ts/dist/verify/index.js`),
  },
];

/** The minified text of `entry` with all it imports, as a bundler gives it to a page. */
async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0].contents;
}

const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }).length;

let broken = 0;
for (const { name, limit, bytes } of budgets) {
  const content = await bytes();
  const size = brotli(content);
  const over = size > limit;
  if (over) broken += 1;
  console.log(
    `${over ? 'OVER' : 'ok  '}  ${name.padEnd(46)} ${(size / KB).toFixed(1).padStart(7)} KB brotli of ${limit / KB} KB  (${(content.length / KB).toFixed(1)} KB raw)`,
  );
}
process.exit(broken ? 1 : 0);
