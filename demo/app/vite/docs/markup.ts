// How a page of Markdown or MDX becomes HTML: its links, its headings, its tables, its pictures and its code.
import { dirname, join } from 'node:path/posix';
import type { CompileOptions } from '@mdx-js/mdx';
import Slugger from 'github-slugger';
import type { Element, ElementContent, Root as Hast } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import type { Html, Root as Mdast, Text } from 'mdast';
import rehypeHighlight from 'rehype-highlight';
import remarkGfm from 'remark-gfm';
import { SKIP, visit } from 'unist-util-visit';
import type { VFile } from 'vfile';
import { type Page, REPOSITORY } from './pages.js';
import { pictureElement } from './pictures.js';
import { sequenceDiagram } from './sequence.js';

/** A heading of a page, with the text from it to the next one. */
export interface Section {
  /** Its name in addresses, as GitHub makes it. */
  readonly slug: string;
  /** 1 for the page's title. */
  readonly depth: number;
  readonly heading: string;
  text: string;
}

declare module 'vfile' {
  interface DataMap {
    /** What `markupOf` found in a page, in its order. */
    sections: Section[];
  }
}

/**
 * The options of MDX for these pages. A `.md` file is plain Markdown, an `.mdx` file has MDX's syntax. The colours of code
 * take the most time: `isColoured: false` leaves them out for a caller that only reads the text. `repository` is the folder
 * that holds the pages and their pictures.
 */
export function markupOf(
  pages: readonly Page[],
  { isColoured = true, repository = REPOSITORY } = {},
): CompileOptions {
  const routes = new Map([['README.md', '/docs'], ...pages.map(({ file, route }) => [file, route] as const)]);
  return {
    format: 'detect',
    remarkPlugins: [remarkGfm, htmlAsText],
    remarkRehypeOptions: { clobberPrefix: '' },
    rehypePlugins: [...(isColoured ? [rehypeHighlight] : []), [docsMarkup, routes, repository]],
  };
}

/** No page brings HTML: a comment goes, a line break stays, and any other tag becomes text. */
function htmlAsText() {
  return (tree: Mdast) =>
    visit(tree, 'html', (node: Html, index, parent) => {
      if (index === undefined || !parent) return;
      if (/^<!--[\s\S]*-->$/.test(node.value)) {
        parent.children.splice(index, 1);
        return [SKIP, index];
      }
      const text: Text = { type: 'text', value: node.value };
      parent.children[index] = /^<br ?\/?>$/.test(node.value) ? { type: 'break' } : text;
      return SKIP;
    });
}

function docsMarkup(routes: ReadonlyMap<string, string>, repository: string) {
  return (tree: Hast, file: VFile) => {
    const slugs = new Slugger();
    const path = relativePath(file.path, repository);
    const sections: Section[] = [];
    for (const node of tree.children) {
      if (node.type !== 'element') continue;
      const depth = headingDepth(node);
      if (depth === undefined) {
        const last = sections.at(-1);
        if (last) last.text = `${last.text} ${textOf(node)}`.replaceAll(/\s+/g, ' ').trim();
        continue;
      }
      const heading = textOf(node);
      const slug = slugs.slug(heading);
      node.properties.id = slug;
      sections.push({ slug, depth, heading, text: '' });
      if (!node.children.some((child) => child.type === 'element' && child.tagName === 'a'))
        node.children = [element('a', { href: `#${slug}` }, node.children)];
    }
    file.data.sections = sections;
    visit(tree, 'element', (node, index, parent) => {
      if (node.tagName === 'a') rewriteLink(node, path, routes);
      if (node.tagName === 'p' && holdsOnlyPictures(node)) node.properties.className = ['pictures'];
      if (index === undefined || !parent) return;
      if (node.tagName === 'img') {
        const { src, alt } = node.properties;
        parent.children[index] = pictureElement(String(src), String(alt ?? ''), path, repository);
        return SKIP;
      }
      const wrapped =
        node.tagName === 'table' ? scrolling(node) : node.tagName === 'pre' ? diagramOrCode(node) : null;
      // The visit goes on with what was wrapped.
      if (wrapped) parent.children[index] = wrapped;
    });
  };
}

const relativePath = (path: string, repository: string): string =>
  path.startsWith(repository) ? path.slice(repository.length).replaceAll('\\', '/').replace(/^\//, '') : path;

function headingDepth({ tagName }: Element): number | undefined {
  const [, depth] = /^h([1-4])$/.exec(tagName) ?? [];
  return depth === undefined ? undefined : Number(depth);
}

const element = (
  tagName: string,
  properties: Element['properties'],
  children: ElementContent[],
): Element => ({ type: 'element', tagName, properties, children });

const holdsOnlyPictures = ({ children }: Element): boolean =>
  children.some((child) => child.type === 'element') &&
  children.every((child) =>
    child.type === 'element' ? child.tagName === 'img' : child.type === 'text' && child.value.trim() === '',
  );

/** A wide table scrolls by itself, also by keyboard. */
const scrolling = (table: Element): Element =>
  element('div', { className: ['scroll'], role: 'region', ariaLabel: 'Table', tabIndex: 0 }, [table]);

const diagramOrCode = (pre: Element): Element => sequenceDiagram(textOf(pre)) ?? copyable(pre);

const copyable = (pre: Element): Element =>
  element('div', { className: ['code'] }, [
    { ...pre, properties: { ...pre.properties, tabIndex: 0 } },
    element('button', { type: 'button', className: ['copy'], dataCopy: '' }, [
      { type: 'text', value: 'Copy' },
    ]),
  ]);

/** The address of a link in the rendered page; undefined for a file that is no page. */
export function addressOf(
  href: string,
  file: string,
  routes: ReadonlyMap<string, string>,
): string | undefined {
  if (href.startsWith('#') || isExternal(href)) return href;
  const [path = '', section] = href.split('#', 2);
  const route = routes.get(join(dirname(file), path));
  if (route === undefined) return undefined;
  return section === undefined ? route : `${route}#${section}`;
}

const isExternal = (href: string): boolean => /^(https?|mailto):/.test(href);

function rewriteLink(node: Element, file: string, routes: ReadonlyMap<string, string>): void {
  const address = addressOf(String(node.properties.href), file, routes);
  if (address === undefined) {
    node.tagName = 'span';
    node.properties = {};
    return;
  }
  node.properties.href = address;
  if (isExternal(address)) Object.assign(node.properties, { target: '_blank', rel: 'noreferrer' });
}
