import MiniSearch from 'minisearch';
import { beforeAll, describe, expect, it } from 'vitest';
import { DOCS_PICTURES } from '../../../docs-pictures/table.js';
import { SEARCH_OPTIONS } from '../../src/docs/search-entry.js';
import { llmsFullTxt, llmsTxt } from './llms.js';
import { addressOf } from './markup.js';
import { searchIndex, sourceOf } from './outline.js';
import { docsPages, type Page } from './pages.js';
import { pictureBytes, pictureFiles } from './pictures.js';
import { htmlOf } from './testing.js';

const PAGES: Page[] = [
  { file: 'docs/index.mdx', route: '/docs', title: 'Latchkey', group: null },
  { file: 'docs/api/react.md', route: '/docs/api/react', title: 'React', group: 'API Reference' },
  { file: 'docs/guides/relay.md', route: '/docs/guides/relay', title: 'Relay', group: 'Guides' },
];
const ROUTES = new Map(PAGES.map(({ file, route }) => [file, route]));

const html = (source: string, file = 'docs/guides/relay.md', pages: readonly Page[] = PAGES) =>
  htmlOf(source, file, pages);

describe('a page of the documentation (demo 2)', () => {
  it('shows HTML of its source as text, and runs no script from an address', async () => {
    const rendered = await html(
      '<img src=x onerror=alert(1)>\n\n<script>1</script>\n\n[x](javascript:alert(1))',
    );
    expect(rendered).not.toMatch(/<(img|script|a)\b/);
    expect(rendered).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(await html('```html\n<script>1</script>\n```')).not.toContain('<script');
    expect(await html('<!-- unseen -->\n\na<br>b')).toBe('<p>a<br/>\nb</p>');
  });

  it('gives each heading an anchor, as GitHub names it', async () => {
    const rendered = await html('# `useTheme` & tokens\n\n## Errors\n\n## Errors');
    expect(rendered).toContain('<h1 id="usetheme--tokens"><a href="#usetheme--tokens">');
    expect(rendered).toContain('<h2 id="errors"><a href="#errors">');
    expect(rendered).toContain('<h2 id="errors-1"><a href="#errors-1">');
  });

  it('has its footnotes at its end, and a link to each and back', async () => {
    const rendered = await html('A claim.[^why]\n\n[^why]: `a.test.ts` <b>shows</b> it.\n\nMore.');
    expect(rendered).toContain('<a href="#fn-why" id="fnref-why"');
    expect(rendered).toMatch(
      /More\.<\/p>[\s\S]*<li id="fn-why">[\s\S]*<code>a\.test\.ts<\/code> &lt;b&gt;shows/,
    );
    expect(rendered).toContain('href="#fnref-why"');
  });

  it('links to other pages by their routes, and to no file that is no page', async () => {
    expect(addressOf('../api/react.md#toasts', 'docs/guides/relay.md', ROUTES)).toBe(
      '/docs/api/react#toasts',
    );
    expect(addressOf('docs/guides/relay.md', 'README.md', ROUTES)).toBe('/docs/guides/relay');
    expect(addressOf('#errors', 'docs/guides/relay.md', ROUTES)).toBe('#errors');
    expect(
      await html('[tests](../../tests/devnet.ts), [React](../api/react.md), [README](../../README.md)'),
    ).toBe('<p><span>tests</span>, <a href="/docs/api/react">React</a>, <a href="/docs">README</a></p>');
    expect(await html('[NEAR](https://near.org)')).toContain('target="_blank" rel="noreferrer"');
  });

  it('draws a sequence diagram, and says it in words; another diagram stays a block of code', async () => {
    const steps = ['participant A as your page', 'participant B', 'A->>B: asks', 'B->>B: thinks'].join('\n');
    const rendered = await html(`\`\`\`mermaid\nsequenceDiagram\n${steps}\n\`\`\``);
    expect(rendered).toContain('aria-label="your page to B: asks. B: thinks"');
    expect(rendered).toMatch(/<text class="participant"[^>]*>your page<\/text>/);
    expect(await html('```mermaid\nflowchart LR\na --> b\n```')).toContain('<pre');
  });

  it('takes plain Markdown with braces from a .md file, and MDX from an .mdx file', async () => {
    expect(await html('A {brace} and a <b>tag</b>.')).toBe('<p>A {brace} and a &lt;b&gt;tag&lt;/b&gt;.</p>');
    expect(await html('Four is {2 + 2}.', 'docs/index.mdx')).toBe('<p>Four is 4.</p>');
  });
});

describe('the documentation (demo 2)', () => {
  const pages = docsPages();
  const rendered = new Map<string, string>();
  beforeAll(async () => {
    for (const page of pages) rendered.set(page.route, await html(sourceOf(page), page.file, pages));
  }, 120_000);

  it('has every route of the specification', () => {
    const routes = pages.map(({ route }) => route);
    expect(routes).toEqual(expect.arrayContaining(SPECIFIED.map((route) => `/docs${route}`)));
    expect(routes[0]).toBe('/docs');
  });

  it('has the order of docs/order.json, which names no page that is missing', () => {
    const order: Record<string, string[]> = JSON.parse(
      sourceOf({ file: 'docs/order.json', route: '', title: '', group: null }),
    );
    const named = Object.entries(order).flatMap(([folder, names]) =>
      names.map((name) => `/docs/${folder}/${name}`),
    );
    const routes = pages.map(({ route }) => route);
    expect(named.filter((route) => !routes.includes(route))).toEqual([]);
    expect(routes.filter((route) => named.includes(route))).toEqual(named);
  });

  it('has a title on each page, and every link in it leads to a page and a heading', () => {
    expect(pages.filter(({ title }) => title === '')).toEqual([]);
    const broken = [...rendered].flatMap(([route, page]) =>
      [...page.matchAll(/<a href="([^"]*)"/g)]
        .map(([, href = '']) => href)
        .filter((href) => !/^(https?|mailto):/.test(href))
        .filter((href) => {
          const [path, section] = href.split('#', 2);
          const target = rendered.get(path || route);
          return !target || (section !== undefined && !target.includes(`id="${section}"`));
        })
        .map((href) => `${route} → ${href}`),
    );
    expect(broken).toEqual([]);
  });

  it('shows every picture of its folder, in less than 600 kB', () => {
    const shown = [...rendered.values()].flatMap((page) =>
      [...page.matchAll(/(?:src|srcSet)="\/docs\/pictures\/([^"]+)"/g)].map(([, name]) => name),
    );
    expect(pictureFiles().filter((name) => !shown.includes(name))).toEqual([]);
    const bytes = pictureFiles().reduce((sum, name) => sum + pictureBytes(name).length, 0);
    expect(bytes).toBeLessThan(600_000);
  });

  it('has its pictures from the table of those that are taken', () => {
    const drawn = pictureFiles().filter((name) => name.endsWith('.webp'));
    const taken = Object.keys(DOCS_PICTURES).flatMap((name) =>
      ['dark', 'light'].map((theme) => `${name}.${theme}.webp`),
    );
    expect(drawn.toSorted()).toEqual(taken.toSorted());
  });

  it('ends each page of MDX with what to read next', () => {
    const ofMdx = pages.filter(({ file }) => file.endsWith('.mdx'));
    const lastPart = (page: Page) => sourceOf(page).split(/\n## /).at(-1);
    expect(ofMdx.filter((page) => !lastPart(page)?.startsWith('Next\n\n')).map(({ file }) => file)).toEqual(
      [],
    );
  });

  it('is found by the search, section by section', async () => {
    const search = MiniSearch.loadJSON(await searchIndex(pages), SEARCH_OPTIONS);
    expect(search.search('clicks not meant')[0]?.id).toBe(
      '/docs/guides/wallet-iframe#clicks-that-were-not-meant',
    );
    expect(search.search('install').map(({ id }) => id)).toContain('/docs/getting-started/install');
  }, 120_000);

  it('is listed for language models, with the text of every page for integrators', () => {
    const list = llmsTxt(pages);
    for (const { title, route } of pages.slice(1)) expect(list).toContain(`- [${title}](${route}.md): `);
    const full = llmsFullTxt(pages);
    for (const page of pages)
      expect([page.file, full.includes(sourceOf(page).trim())]).toEqual([
        page.file,
        page.group !== 'For maintainers',
      ]);
  });
});

/** host-surfaces.md section 2. */
const SPECIFIED = [
  '',
  '/getting-started/install',
  '/getting-started/quickstart',
  ...[
    'passkeys',
    'wallet-iframe',
    'tx-confirmation',
    'device-linking',
    'relay-server',
    'cloudflare-worker',
    'cloudflare-wasm-imports',
    'cloudflare-github-actions-setup',
    'asset-url-resolution',
    'iphone-dev',
    'iphone-dev/safari-address-bar-fix',
    'reduce-logs',
    'rename-sdk',
  ].map((name) => `/guides/${name}`),
  ...[
    'wallet-iframe-architecture',
    'vrf-and-prf',
    'shamir3pass',
    'nonce-manager',
    'rpid-policy',
    'shamir3pass-rotate-keys',
    'wallet-scoped-credentials',
  ].map((name) => `/concepts/${name}`),
  '/api',
  ...['client', 'webauthn-manager', 'passkey-manager', 'react-components', 'server'].map(
    (name) => `/api/${name}`,
  ),
];
