// The documentation's pages as modules of the demo: `virtual:docs` lists them, and each is loaded when it is opened.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { renderPage } from './markdown.js';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const LIST = 'virtual:docs';
const LIST_ID = `\0${LIST}`;
/** Makes the id of a page's module differ from its file's: Vite would take the file for a module of another kind. */
const PAGE = '?docs-page';

/** Each page's file in the repository, with its route: the README first, then `docs/` by name, then the rest. */
export function docsRoutes(repository = REPOSITORY): Map<string, string> {
  const inDocs = readdirSync(join(repository, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name): [string, string] => [`docs/${name}`, `/docs/${basename(name, '.md')}`]);
  return new Map([
    ['README.md', '/docs'],
    ...inDocs,
    ['SECURITY.md', '/docs/security'],
    ['CONTRIBUTING.md', '/docs/contributing'],
    ['CHANGELOG.md', '/docs/changelog'],
  ]);
}

const sourceOf = (file: string): string => readFileSync(join(REPOSITORY, file), 'utf8');

/** The rendered page of a file in the repository. */
export const docsPage = (file: string, routes = docsRoutes()) => renderPage(sourceOf(file), file, routes);

/** The text of a file's first heading, without the rest of the page. */
const titleOf = (file: string): string =>
  renderPage(/^# .*$/m.exec(sourceOf(file))?.[0] ?? '', file, new Map()).title;

/** Renders the documentation while the demo is built. */
export function docs(): Plugin {
  return {
    name: 'latchkey-demo-docs',
    resolveId(id) {
      if (id === LIST) return LIST_ID;
      return id.endsWith(PAGE) ? id : null;
    },
    load(id) {
      const routes = docsRoutes();
      if (id === LIST_ID) {
        const pages = [...routes].map(
          ([file, route]) =>
            `{ route: ${JSON.stringify(route)}, title: ${JSON.stringify(titleOf(file))},
               load: () => import(${JSON.stringify(`${join(REPOSITORY, file)}${PAGE}`)}) }`,
        );
        return `export const pages = [${pages.join(',\n')}];`;
      }
      if (!id.endsWith(PAGE)) return null;
      const path = id.slice(0, -PAGE.length);
      this.addWatchFile(path);
      const file = relative(REPOSITORY, path).split(sep).join('/');
      return {
        code: `export const html = ${JSON.stringify(docsPage(file, routes).html)};`,
        moduleType: 'js',
      };
    },
  };
}
