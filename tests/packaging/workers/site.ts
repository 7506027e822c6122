/** A single-page app in the Workers runtime. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { good } from '../tools.mjs';
import { bundle, startWorker } from './workerd.js';

const PAGE = '<!doctype html><title>The app</title>';
const FILES = {
  'index.html': PAGE,
  'mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/index-Ab3_d-9x.js': 'export {};',
  'sdk/near-button.js': 'export {};',
};

export async function checkSite(project: string): Promise<void> {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(project, 'site', path)), { recursive: true });
    writeFileSync(join(project, 'site', path), text);
  }
  const site = await startWorker(project, 'site', bundle(project, 'site'), {});
  try {
    const get = async (path: string) => {
      const answer = await fetch(site.url + path);
      const of = (name: string) => answer.headers.get(name);
      return {
        status: answer.status,
        text: await answer.text(),
        cache: of('cache-control'),
        type: of('content-type'),
        of,
      };
    };
    for (const path of ['/', '/index.html', '/docs', '/docs/relay', '/multitx/']) {
      const { status, text, cache, type, of } = await get(path);
      assert.deepEqual([path, status, text, cache], [path, 200, PAGE, 'no-cache']);
      assert.match(type ?? '', /^text\/html/);
      assert.equal(of('cross-origin-opener-policy'), 'same-origin-allow-popups');
      assert.equal(of('cross-origin-embedder-policy'), null);
      assert.match(of('content-security-policy') ?? '', /frame-ancestors 'none'/);
      assert.equal(of('x-content-type-options'), 'nosniff');
    }
    assert.match((await get('/assets/index-Ab3_d-9x.js')).cache ?? '', /immutable/);
    assert.equal((await get('/sdk/near-button.js')).cache, 'no-cache');
    for (const path of ['/sdk/missing.js', '/sdk/missing', '/assets/index-00000000.js', '/missing.png']) {
      const { status, text, cache } = await get(path);
      assert.deepEqual([path, status, cache], [path, 404, 'no-cache']);
      assert.ok(!text.includes('The app'), path);
    }
    await site.restart({ CROSS_ORIGIN: 'isolated' });
    const isolated = await get('/docs');
    assert.equal(isolated.of('cross-origin-opener-policy'), 'same-origin');
    assert.equal(isolated.of('cross-origin-embedder-policy'), 'require-corp');
  } finally {
    await site.stop();
  }
  good('an app on Workers gives its page to its routes, and no page for a missing file of the SDK');
}
