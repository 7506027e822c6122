// Both majors of React: a page that a server has rendered, hydrated in Chromium with React's development build, whose
// warnings fail the check. And a Next app, whose server layout imports the provider.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, good, resultOf, root, run, withFolder } from './tools.mjs';

/** The page is drawn without a warning, in the user's theme, and asks for a confirmation. */
export async function useReact(consumer) {
  const page = join(consumer, 'react');
  const { version } = JSON.parse(readFileSync(join(consumer, 'node_modules/react/package.json'), 'utf8'));
  const development = { ...process.env, NODE_ENV: 'development' };
  run('node', ['render.mjs'], page, development);
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  run('node', [vite, 'build', '--mode', 'development', '--logLevel', 'error'], page, development);
  await withFolder(join(page, 'dist'), async (port) => {
    const text = await resultOf(`http://localhost:${port}/`);
    if (text !== `ready: React ${version}, theme: light, then dark, cancel`)
      fail(`with React ${version}: ${text}`);
  });
  good(`with React ${version} a server renders the kit, and a page hydrates it and confirms`);
}

/** `next build`, by either bundler, takes a server layout, and the page that it exports starts the wallet. */
export async function useNext(consumer, bundler) {
  const app = join(consumer, 'next');
  const next = join(consumer, 'node_modules/next/dist/bin/next');
  run(process.execPath, [next, 'build', `--${bundler}`], app, {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
  });
  const html = readFileSync(join(app, 'out/index.html'), 'utf8');
  if (!/<p id="price"><svg.*<\/svg> (<!-- -->)?1\.5(<!-- -->)? NEAR<\/p>/.test(html))
    fail(`Next's server did not render the page of ${bundler}:\n${html}`);
  await withFolder(join(app, 'out'), async (port) => {
    const text = await resultOf(`http://localhost:${port}/`);
    if (text !== 'ready: logged in false') fail(`in Next's App Router by ${bundler}: ${text}`);
  });
  good(`Next's App Router builds by ${bundler} a server layout, and its page starts the wallet`);
}
