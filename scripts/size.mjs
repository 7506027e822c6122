// What a user downloads, or a backend bundles, brotli-compressed, against its budget. Exits with 1 when one is broken.
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const KB = 1000;

const budgets = [
  { name: 'signer WASM', limit: 100 * KB, bytes: () => readFile(`${root}ts/wasm/signer/signer_bg.wasm`) },
  { name: 'VRF WASM', limit: 80 * KB, bytes: () => readFile(`${root}ts/wasm/vrf/vrf_bg.wasm`) },
  {
    name: 'same-origin wallet at first use, without React',
    limit: 46 * KB,
    bytes: () => firstUse(`${root}ts/dist/index.js`, 'dist/flows/wallet.js'),
  },
  {
    name: 'same-origin wallet with every flow it can load',
    limit: 72 * KB,
    bytes: () => bundle(`${root}ts/dist/index.js`),
  },
  {
    name: 'key viewer, its one script',
    limit: 6 * KB,
    bytes: () => readFile(`${root}ts/dist/export/key-viewer.js`),
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

/**
 * What a page has loaded once it has used `entry`: its chunk and the one that holds `first`, each with all they import
 * statically. What they load later on by import() is left out.
 */
async function firstUse(entry, first) {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    outdir: 'out',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    metafile: true,
    write: false,
  });
  const chunks = Object.entries(metafile.outputs);
  const queue = chunks
    .filter(([, { entryPoint }]) => entryPoint?.endsWith('dist/index.js') || entryPoint?.endsWith(first))
    .map(([name]) => name);
  if (queue.length < 2) throw new Error(`${first} is no chunk of its own`);
  const loaded = new Set();
  for (const name of queue) {
    if (loaded.has(name)) continue;
    loaded.add(name);
    const { imports } = metafile.outputs[name];
    queue.push(...imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path));
  }
  const files = outputFiles.filter(({ path }) => loaded.has(relative(root, path)));
  return Buffer.concat(files.map(({ contents }) => contents));
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
