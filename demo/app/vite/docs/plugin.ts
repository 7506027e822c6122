// The documentation's pages as modules of the demo: `virtual:docs` lists them, and each is loaded when it is opened.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import mdx from '@mdx-js/rollup';
import type { Plugin } from 'vite';
import { llmsFullTxt, llmsTxt, sourceRoute } from './llms.js';
import { markupOf } from './markup.js';
import { searchIndex, sectionsOf, sourceOf } from './outline.js';
import { docsPages, type Page, REPOSITORY } from './pages.js';
import { pictures } from './pictures.js';

const LIST = 'virtual:docs';
const SEARCH = 'virtual:docs-search';
const PAGE = 'virtual:docs-page:';
const AUTHENTICATORS = 'docs/guides/authenticators.json';
const resolved = (id: string): string => `\0${id}`;

/** Draws the documentation while the demo is built. */
export function docs(): Plugin[] {
  const pages = docsPages();
  return [components(pages), modules(pages), texts(pages), pictures()];
}

/** Each page as a React component. */
function components(pages: readonly Page[]): Plugin {
  const { transform } = mdx(markupOf(pages));
  return {
    name: 'latchkey-demo-docs-components',
    enforce: 'pre',
    async transform(source, id) {
      const drawn = await transform(source, id);
      // By its name, Vite would take the file for a module of another kind.
      return drawn ? { code: drawn.code, moduleType: 'js' } : null;
    },
  };
}

function modules(pages: readonly Page[]): Plugin {
  return {
    name: 'latchkey-demo-docs',
    resolveId: (id) => (id === LIST || id === SEARCH || id.startsWith(PAGE) ? resolved(id) : null),
    async load(id) {
      if (id === resolved(LIST)) return listModule(pages);
      if (id === resolved(SEARCH)) return `export default ${JSON.stringify(await searchIndex(pages))};`;
      if (!id.startsWith(resolved(PAGE))) return null;
      const file = id.slice(resolved(PAGE).length);
      const page = pages.find((candidate) => candidate.file === file);
      if (!page) return null;
      const sections = await sectionsOf(page, pages);
      const headings = sections.map(({ slug, depth, heading }) => ({ slug, depth, heading }));
      return `export { default } from ${JSON.stringify(join(REPOSITORY, file))};
        export const headings = ${JSON.stringify(headings)};`;
    },
  };
}

function listModule(pages: readonly Page[]): string {
  const entries = pages.map(
    ({ file, route, title, group }) =>
      `{ ...${JSON.stringify({ route, title, group })}, load: () => import(${JSON.stringify(`${PAGE}${file}`)}) }`,
  );
  return `export const pages = [${entries.join(',\n')}];`;
}

/** The texts for language models, each page's own source, and the table of authenticators. */
export function docsTexts(pages: readonly Page[]): Map<string, string> {
  return new Map([
    ['/llms.txt', llmsTxt(pages)],
    ['/llms-full.txt', llmsFullTxt(pages)],
    ...pages.map((page) => [sourceRoute(page), sourceOf(page)] as const),
    [`/${AUTHENTICATORS}`, readFileSync(join(REPOSITORY, AUTHENTICATORS), 'utf8')],
  ]);
}

function texts(pages: readonly Page[]): Plugin {
  return {
    name: 'latchkey-demo-docs-texts',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const text = docsTexts(pages).get(request.url ?? '');
        if (text === undefined) return next();
        const type = request.url?.endsWith('.json') ? 'application/json' : 'text/plain';
        response.setHeader('content-type', `${type}; charset=utf-8`);
        response.end(text);
      });
    },
    generateBundle() {
      for (const [path, source] of docsTexts(pages))
        this.emitFile({ type: 'asset', fileName: path.slice(1), source });
    },
  };
}
