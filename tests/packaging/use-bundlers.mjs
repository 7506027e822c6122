// Pages of other bundlers, each built without an option for the package: webpack 5 for a wallet in the page itself and in a frame,
// esbuild for one in a frame.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { fail, good, importFrom, resultOf, resultWith, siteOf, withFolder } from './tools.mjs';

/** webpack finds the workers and their WASM, and a page of it connects to a wallet in a frame. */
export async function useWebpack(consumer) {
  const folder = join(consumer, 'webpack');
  const pages = { own: './vite/main.js', framed: './plain/main.js' };
  await packed(await importFrom(consumer, 'webpack'), {
    mode: 'production',
    context: consumer,
    entry: pages,
    output: { path: folder, filename: '[name].js' },
    // The WASM is larger than what it recommends for a page's own files.
    performance: false,
  });
  for (const name of Object.keys(pages)) writePage(folder, name);
  const files = readdirSync(folder);
  if (files.filter((file) => file.endsWith('.wasm')).length !== 2)
    fail(`webpack's build holds ${files.join(', ')}`);
  await withFolder(folder, async (port) => {
    const text = await resultOf(`http://localhost:${port}/own/`);
    if (text !== 'ready: logged in false') fail(`in a page of webpack: ${text}`);
    await connects(consumer, port, 'webpack');
  });
  good('a webpack build starts both workers, and connects to a wallet in a frame');
}

/** A page of esbuild connects to a wallet in a frame, for which it needs no file of the package. */
export async function useEsbuild(consumer) {
  const folder = join(consumer, 'esbuild');
  await build({
    entryPoints: { framed: join(consumer, 'plain/main.js') },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    logLevel: 'error',
  });
  writePage(folder, 'framed');
  await withFolder(folder, (port) => connects(consumer, port, 'esbuild'));
  good('an esbuild build connects to a wallet in a frame');
}

/** The page `framed` of the folder behind this port connects to a wallet that lists it. */
async function connects(consumer, port, bundler) {
  const host = `http://app.localhost:${port}`;
  const site = await siteOf(consumer, { allowedHosts: [host] });
  const text = await resultWith(consumer, `${host}/framed/`, site);
  if (text !== 'ready: 0 accounts') fail(`a page of ${bundler} with a wallet in a frame: ${text}`);
}

function packed({ default: webpack }, options) {
  return new Promise((resolve, reject) => {
    webpack(options, (error, stats) => {
      if (error) reject(error);
      else if (stats.hasErrors() || stats.hasWarnings()) reject(new Error(stats.toString('errors-warnings')));
      else resolve();
    });
  });
}

/** A page with one script, at an address of its own. */
function writePage(folder, name) {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(
    join(folder, name, 'index.html'),
    `<!doctype html><html lang="en"><title>${name}</title><output id="result">starting</output><script type="module" src="../${name}.js"></script></html>`,
  );
}
