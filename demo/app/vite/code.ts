// The code that a page shows: `import Code from './pay.ts?code'` gives the text of that file as a component, in colours.
import { readFile } from 'node:fs/promises';
import { compile } from '@mdx-js/mdx';
import rehypeHighlight from 'rehype-highlight';
import type { Plugin } from 'vite';

const QUERY = '?code';
/** Longer than any run of backticks in a file that a page shows. */
const FENCE = '`'.repeat(8);

/** Draws the files that a page shows while it is built, so that it always shows those that run in it. */
export function shownCode(): Plugin {
  return {
    name: 'latchkey-demo-code',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(QUERY)) return null;
      const file = id.slice(0, -QUERY.length);
      this.addWatchFile(file);
      return { code: await drawCode(await readFile(file, 'utf8')), moduleType: 'js' };
    },
  };
}

/** A module whose default export draws this TypeScript as a `pre`, which the property `components` may replace. */
export async function drawCode(source: string): Promise<string> {
  const { value } = await compile(`${FENCE}tsx\n${source.trimEnd()}\n${FENCE}`, {
    format: 'md',
    rehypePlugins: [rehypeHighlight],
  });
  return String(value);
}
