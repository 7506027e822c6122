// What a user downloads, or a backend bundles, brotli-compressed, against its budget. Exits with 1 when one is broken.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { build as viteBuild } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const KB = 1000;

/** What pages import. */
const FRAMED = `export { PasskeyManager } from '${root}ts/dist/index.js';`;
const SAME_ORIGIN = `${FRAMED} export { sameOriginWallet } from '${root}ts/dist/same-origin.js';`;
const VERIFY = `export * from '${root}ts/dist/verify/index.js'`;
const LOGIN_MENU = `export { LoginMenu, PasskeyContextProvider } from '${root}react/dist/index.js';`;

const budgets = [
  { name: 'signer WASM', limit: 121.9 * KB, bytes: () => readFile(`${root}ts/wasm/signer/signer_bg.wasm`) },
  {
    name: 'relay WASM, for Node and Workers alone',
    limit: 132 * KB,
    bytes: () => readFile(`${root}server/wasm/relay/relay_bg.wasm`),
  },
  { name: 'VRF WASM', limit: 70 * KB, bytes: () => readFile(`${root}ts/wasm/vrf/vrf_bg.wasm`) },
  {
    name: 'frame mode, host before its first call',
    limit: 10 * KB,
    bytes: () => firstUse(FRAMED, 'dist/frame/host/framed-wallet.js'),
  },
  {
    name: 'same-origin wallet at first use, without React',
    limit: 51 * KB,
    bytes: () => firstUse(SAME_ORIGIN, 'dist/flows/wallet.js'),
  },
  {
    name: 'same-origin wallet with every flow it can load',
    limit: 132.8 * KB,
    bytes: () => bundle(SAME_ORIGIN, ['./frame/host/framed-wallet.js']),
  },
  {
    name: 'login menu with a framed wallet, before a press',
    limit: 28.6 * KB,
    bytes: () => firstUse(LOGIN_MENU, 'dist/frame/host/framed-wallet.js'),
  },
  {
    name: 'key viewer, its one script',
    limit: 6.5 * KB,
    bytes: () => readFile(`${root}ts/dist/export/key-viewer.js`),
  },
  {
    name: 'phrase viewer, its one script',
    limit: 7 * KB,
    bytes: () => readFile(`${root}ts/dist/export/phrase-viewer.js`),
  },
  {
    name: 'phrase worker, with the list of words',
    limit: 38 * KB,
    bytes: () => readFile(`${root}ts/dist/workers/phrase.worker.js`),
  },
  {
    name: "transaction button, its frame's two scripts",
    limit: 17.2 * KB,
    bytes: () => frameScripts(`${root}react/dist/wallet/sdk`),
  },
  {
    name: 'wallet page, before it draws anything',
    limit: 66.3 * KB,
    bytes: () => pageStart(`${root}react/dist/wallet`),
  },
  {
    name: "near-connect's executor, in a connector's sandbox",
    limit: 18.5 * KB,
    bytes: () => readFile(`${root}ts/dist/near-connect/executor.js`),
  },
  {
    name: 'latchkey/verify, for a backend',
    limit: 19 * KB,
    bytes: () => bundle(VERIFY, ['./resolve.js']),
  },
  {
    name: 'latchkey/verify, with the keys and contracts of NEP-641',
    limit: 37.4 * KB,
    bytes: () => bundle(VERIFY),
  },
];

/** The minified text of a script with all it imports but `external`, as a bundler gives it to a page. */
async function bundle(contents, external = []) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    external,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0].contents;
}

/** The scripts that a page's HTML names. */
async function pageStart(folder) {
  const html = await readFile(`${folder}/index.html`, 'utf8');
  const scripts = [...html.matchAll(/"(\/sdk\/[^"]+\.js)"/g)].map(([, path]) => path);
  if (scripts.length === 0) throw new Error(`${folder}/index.html names no script`);
  return Buffer.concat(await Promise.all(scripts.map((path) => readFile(folder + path))));
}

/** The scripts that each embedded transaction button loads. */
async function frameScripts(folder) {
  const names = ['iframe-tx-button-bootstrap.js', 'w3a-button-with-tooltip.js'];
  return Buffer.concat(await Promise.all(names.map((name) => readFile(`${folder}/${name}`))));
}

/**
 * What `page` has loaded once it has used its wallet, as Vite builds it, without React: its own code, and the chunk that holds
 * `first`, each with all they import statically. (esbuild, splitting, would keep what the page imports and does not use.)
 */
async function firstUse(page, first) {
  const chunks = await chunksOf(page);
  const queue = chunks.filter(({ isEntry, facadeModuleId }) => isEntry || facadeModuleId?.endsWith(first));
  if (queue.length !== 2) throw new Error(`${first} is no chunk of its own`);
  const loaded = new Set();
  for (const chunk of queue) {
    if (loaded.has(chunk)) continue;
    loaded.add(chunk);
    queue.push(...chunks.filter(({ fileName }) => chunk.imports.includes(fileName)));
  }
  return Buffer.from([...loaded].map(({ code }) => code).join(''));
}

/** The chunks that Vite makes of a page with this script, without React. */
async function chunksOf(script) {
  const page = 'virtual:page';
  const { output } = await viteBuild({
    root,
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === page ? id : undefined),
        load: (id) => (id === page ? script : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      rollupOptions: { input: page, preserveEntrySignatures: 'strict', external: /^react(-dom)?($|\/)/ },
    },
  });
  return output.filter(({ type }) => type === 'chunk');
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
    `${over ? 'OVER' : 'ok  '}  ${name.padEnd(46)} ${(size / KB).toFixed(3).padStart(7)} KB brotli of ${limit / KB} KB  (${(content.length / KB).toFixed(1)} KB raw)`,
  );
}
process.exit(broken ? 1 : 0);
