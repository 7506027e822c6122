// Specification: demo 1
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shownCode } from './code.js';
import { REPOSITORY } from './docs/pages.js';

let folder: string;
let server: ViteDevServer;

beforeAll(async () => {
  mkdirSync(join(REPOSITORY, 'build'), { recursive: true });
  // Inside the repository, where React is found.
  folder = mkdtempSync(join(REPOSITORY, 'build', 'code-'));
  server = await createServer({
    root: folder,
    configFile: false,
    plugins: [shownCode()],
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a page draws for a file with this text. */
async function drawn(file: string, text: string): Promise<string> {
  writeFileSync(join(folder, file), text);
  const { default: Code } = await server.ssrLoadModule(`/${file}?code`);
  return renderToStaticMarkup(createElement(Code as ComponentType));
}

const TAGS = /<[^>]*>/g;

describe('the code that a page shows (demo 1)', () => {
  it('is the text of the file, in colours', async () => {
    const html = await drawn('pay.ts', "export const near = '0.001';\n");
    expect(html.replaceAll(TAGS, '').replaceAll('&#x27;', "'")).toBe("export const near = '0.001';\n");
    expect(html).toContain('<span class="hljs-keyword">export</span>');
  });

  it('runs nothing, and keeps braces, tags and backticks as text', async () => {
    const html = await drawn('menu.tsx', 'throw <b>{`1 {2}`}</b>; // ```\n');
    expect(html.replaceAll(TAGS, '')).toBe('throw &lt;b&gt;{`1 {2}`}&lt;/b&gt;; // ```\n');
  });
});
