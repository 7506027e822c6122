// Renders a Markdown page of this repository to HTML for the demo's documentation.
import { dirname, join } from 'node:path/posix';
import MarkdownIt, { type Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';

/** A rendered page. */
export interface RenderedPage {
  /** The text of its first heading. */
  title: string;
  /** Contains no HTML of the source, whose tags become text. */
  html: string;
}

const markdown = new MarkdownIt({ html: false }).use(footnotes);

markdown.renderer.rules.table_open = () =>
  '<div class="scroll" role="region" aria-label="Table" tabindex="0"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';
markdown.renderer.rules.fence = (tokens, index) =>
  `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[index]?.content ?? '')}</code></pre>`;

/**
 * The page at this path in the repository. `routes` maps each file that is a page to its route: links to these become
 * routes, and links to any other file become text.
 */
export function renderPage(source: string, file: string, routes: ReadonlyMap<string, string>): RenderedPage {
  // The notes of this page, between parsing and rendering.
  const notes = {};
  const tokens = markdown.parse(source, notes);
  const slugs = new Set<string>();
  let title = '';
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'inline') rewriteLinks(token.children ?? [], file, routes);
    if (token.type !== 'heading_open') continue;
    const inline = tokens[index + 1];
    const text = textOf(inline);
    if (title === '' && token.tag === 'h1') title = text;
    const slug = uniqueSlug(text, slugs);
    token.attrSet('id', slug);
    if (inline?.children?.every(({ type }) => type !== 'link_open')) anchor(inline, slug);
  }
  return { title, html: markdown.renderer.render(tokens, markdown.options, notes) };
}

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

function rewriteLinks(tokens: readonly Token[], file: string, routes: ReadonlyMap<string, string>): void {
  let isDropped = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const address = addressOf(String(token.attrGet('href')), file, routes);
      isDropped = address === undefined;
      if (address !== undefined) token.attrSet('href', address);
      if (address !== undefined && isExternal(address)) {
        token.attrSet('target', '_blank');
        token.attrSet('rel', 'noreferrer');
      }
      if (isDropped) token.attrs = null;
    }
    if (isDropped && token.type.startsWith('link_')) token.tag = 'span';
  }
}

/** Makes the heading a link to itself. */
function anchor(inline: Token, slug: string): void {
  const [open, close] =
    markdown.parseInline('[x](#x)', {})[0]?.children?.filter(({ tag }) => tag === 'a') ?? [];
  if (!open || !close || !inline.children) return;
  open.attrs = [['href', `#${slug}`]];
  inline.children = [open, ...inline.children, close];
}

const textOf = (inline: Token | undefined): string =>
  (inline?.children ?? []).map(({ content }) => content).join('');

/** The section's name in addresses, as GitHub makes it. */
function uniqueSlug(text: string, taken: Set<string>): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  let slug = plain;
  for (let count = 1; taken.has(slug); count += 1) slug = `${plain}-${count}`;
  taken.add(slug);
  return slug;
}
