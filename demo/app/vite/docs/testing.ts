// Renders a page for the tests, as the site does.
import { join } from 'node:path';
import { compile, run } from '@mdx-js/mdx';
import { createElement } from 'react';
import * as runtime from 'react/jsx-runtime';
import { renderToStaticMarkup } from 'react-dom/server';
import { VFile } from 'vfile';
import { markupOf } from './markup.js';
import { type Page, REPOSITORY } from './pages.js';

/** The HTML of a page with this source, as if it were this file of the repository. */
export async function htmlOf(
  source: string,
  file: string,
  pages: readonly Page[],
  repository = REPOSITORY,
): Promise<string> {
  const code = await compile(new VFile({ path: join(repository, file), value: source }), {
    ...markupOf(pages, { repository }),
    outputFormat: 'function-body',
  });
  const { default: Content } = await run(code, { ...runtime, baseUrl: import.meta.url });
  return renderToStaticMarkup(createElement(Content));
}
