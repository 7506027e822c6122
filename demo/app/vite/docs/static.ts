// Writes the documentation as static pages: each route's HTML, its styles and scripts, and the texts for language models.
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tokensCss } from 'latchkey/internal';
import { build, createServer } from 'vite';
import type { DrawPages, StaticAssets } from '../../src/docs/static-assets.js';
import { CSS_TARGET } from '../css-target.js';
import { docsPages } from './pages.js';
import { docs, docsTexts } from './plugin.js';

const APP = fileURLToPath(new URL('../..', import.meta.url));
const ASSETS = 'docs/assets';
const CLIENT = 'src/docs/static-client.ts';
const DRAWING = '/src/docs/static-page.tsx';

/** Writes the site to an empty folder. A static host serves it as it is; pages need no script to be read. */
export async function writeDocsSite(folder: string): Promise<number> {
  await rm(folder, { recursive: true, force: true });
  const { script, styles } = await buildClient(folder);
  const assets: StaticAssets = {
    script,
    styles: [`/${ASSETS}/tokens.css`, ...styles],
    theme: `/${ASSETS}/theme.js`,
    icon: `/${ASSETS}/mark.svg`,
  };
  await write(join(folder, ASSETS, 'tokens.css'), tokensCss);
  await copyFile(join(APP, 'src/docs/static-theme.js'), join(folder, ASSETS, 'theme.js'));
  await copyFile(join(APP, 'public/mark.svg'), join(folder, ASSETS, 'mark.svg'));
  const pages = await drawPages(assets);
  for (const [route, html] of pages) await write(join(folder, route, 'index.html'), html);
  for (const [path, text] of docsTexts(docsPages())) await write(join(folder, path), text);
  await write(join(folder, 'index.html'), redirect);
  await write(join(folder, '404.html'), redirect);
  return pages.size;
}

/** An unknown path leads to the overview. */
const redirect =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Latchkey</title>' +
  '<meta http-equiv="refresh" content="0; url=/docs"><a href="/docs">The documentation of Latchkey</a></html>';

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** The script and the styles of every page, with the search behind a lazy import. */
async function buildClient(outDir: string): Promise<{ script: string; styles: string[] }> {
  const built = await build({
    root: APP,
    configFile: false,
    plugins: [docs()],
    logLevel: 'error',
    build: {
      outDir,
      assetsDir: ASSETS,
      copyPublicDir: false,
      target: 'es2022',
      cssTarget: CSS_TARGET,
      rolldownOptions: { input: join(APP, CLIENT) },
    },
  });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const entry = outputs.find((each) => each.type === 'chunk' && each.isEntry);
  if (!entry) throw new Error(`The build of ${CLIENT} has no entry`);
  const styles = outputs
    .filter(({ fileName }) => fileName.endsWith('.css'))
    .map(({ fileName }) => `/${fileName}`);
  return { script: `/${entry.fileName}`, styles };
}

async function drawPages(assets: StaticAssets): Promise<Map<string, string>> {
  const server = await createServer({
    root: APP,
    configFile: false,
    plugins: [docs()],
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  try {
    const drawing = await server.ssrLoadModule(DRAWING);
    return await (drawing as { drawPages: DrawPages }).drawPages(assets);
  } finally {
    await server.close();
  }
}
