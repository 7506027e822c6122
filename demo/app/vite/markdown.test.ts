import { describe, expect, it } from 'vitest';
import { docsPage, docsRoutes } from './docs.js';
import { addressOf, renderPage } from './markdown.js';

const ROUTES = new Map([
  ['README.md', '/docs'],
  ['docs/react.md', '/docs/react'],
  ['docs/relay.md', '/docs/relay'],
]);
const html = (source: string) => renderPage(source, 'docs/relay.md', ROUTES).html;

describe('a page of the documentation', () => {
  it('shows HTML of its source as text, and runs no script from an address', () => {
    const rendered = html('<img src=x onerror=alert(1)>\n\n<script>1</script>\n\n[x](javascript:alert(1))');
    expect(rendered).not.toMatch(/<(img|script|a)\b/);
    expect(rendered).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html('```html\n<script>1</script>\n```')).toContain('&lt;script&gt;1&lt;/script&gt;');
  });

  it('gives each heading an anchor, as GitHub names it', () => {
    const rendered = html('# `useTheme` & tokens\n\n## Errors\n\n## Errors');
    expect(rendered).toContain('<h1 id="usetheme--tokens"><a href="#usetheme--tokens">');
    expect(rendered).toContain('<h2 id="errors"><a href="#errors">');
    expect(rendered).toContain('<h2 id="errors-1"><a href="#errors-1">');
  });

  it('has its footnotes at its end, and a link to each and back', () => {
    const rendered = html('A claim.[^why]\n\n[^why]: `a.test.ts` <b>shows</b> it.\n\nMore.');
    expect(rendered).toContain('<a href="#fn1" id="fnref1">');
    expect(rendered).toMatch(
      /More\.<\/p>[\s\S]*<li id="fn1"[^>]*><p><code>a\.test\.ts<\/code> &lt;b&gt;shows/,
    );
    expect(rendered).toContain('href="#fnref1"');
  });

  it('links to other pages by their routes, and to no file that is no page', () => {
    expect(addressOf('react.md#toasts', 'docs/relay.md', ROUTES)).toBe('/docs/react#toasts');
    expect(addressOf('../README.md', 'docs/relay.md', ROUTES)).toBe('/docs');
    expect(addressOf('docs/relay.md', 'README.md', ROUTES)).toBe('/docs/relay');
    expect(addressOf('#errors', 'docs/relay.md', ROUTES)).toBe('#errors');
    expect(html('[tests](../tests/devnet.ts) and [React](react.md)')).toBe(
      '<p><span>tests</span> and <a href="/docs/react">React</a></p>\n',
    );
    expect(html('[NEAR](https://near.org)')).toContain('target="_blank" rel="noreferrer"');
  });

  it('is each file of docs/, and every link between them leads to a page and a heading', () => {
    const routes = docsRoutes();
    const rendered = new Map([...routes].map(([file, route]) => [route, docsPage(file, routes)]));
    expect([...rendered.values()].filter(({ title }) => title === '')).toEqual([]);
    const broken = [...rendered].flatMap(([route, page]) =>
      [...page.html.matchAll(/<a href="([^"]*)"/g)]
        .map(([, href = '']) => href)
        .filter((href) => !/^(https?|mailto):/.test(href))
        .filter((href) => {
          const [path, section] = href.split('#', 2);
          const target = rendered.get(path || route);
          return !target || (section !== undefined && !target.html.includes(`id="${section}"`));
        })
        .map((href) => `${route} → ${href}`),
    );
    expect(broken).toEqual([]);
  });
});
