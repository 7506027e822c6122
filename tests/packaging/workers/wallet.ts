/** The wallet origin in the Workers runtime. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultProxy } from '../../support/fault-proxy.js';
import { good } from '../tools.mjs';
import { bundle, type RunningWorker, startWorker } from './workerd.js';

const LISTED = 'https://app.example';
const RELAY = 'https://relay.example';

export async function checkWallet(project: string, node: FaultProxy): Promise<void> {
  const folder = bundle(project, 'wallet');
  const built = join(project, 'node_modules/latchkey-react/dist/wallet');
  const wallet = await startWorker(project, 'wallet', folder, { NEAR_RPC_URL: node.url, RELAY_URL: RELAY });
  try {
    await servesPage(wallet, node);
    await servesFiles(wallet, built);
    await refuses(wallet);
    await waitsForOneWhoLeft(wallet, node);
  } finally {
    await wallet.stop();
  }
  good('a wallet origin on Workers gives the page to its hosts, each file its type, and others the reason');
}

const pageFor = (wallet: RunningWorker, host: string, init?: RequestInit) =>
  fetch(`${wallet.url}/wallet-service/?host=${encodeURIComponent(host)}`, init);

async function servesPage(wallet: RunningWorker, node: FaultProxy): Promise<void> {
  const page = await pageFor(wallet, LISTED);
  assert.equal(page.status, 200);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(page.headers.get('cache-control'), 'no-store');
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
  const policy = (page.headers.get('content-security-policy') ?? '').split('; ');
  for (const directive of [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `connect-src 'self' ${node.url} ${RELAY}`,
    `frame-ancestors ${LISTED}`,
    "require-trusted-types-for 'script'",
  ])
    assert.ok(policy.includes(directive), `${directive} is not in ${policy.join('; ')}`);
  assert.match(
    page.headers.get('permissions-policy') ?? '',
    /publickey-credentials-get=\(self\).*camera=\(self\)/,
  );
  const html = await page.text();
  const data = /<script type="application\/json" id="latchkey-config">(.*?)<\/script>/.exec(html)?.[1];
  assert.deepEqual(JSON.parse(String(data)).relayer, { url: RELAY });
  for (const [script] of html.matchAll(/<script(?! type="application\/json")[^>]*>/g))
    assert.match(script, / src="/);

  for (const path of ['/', '/service/']) {
    const alone = await fetch(wallet.url + path, { redirect: 'manual' });
    assert.equal(alone.status, 200);
    assert.ok(alone.headers.get('content-security-policy')?.includes("frame-ancestors 'none'"));
  }
  const manifest = await fetch(`${wallet.url}/.well-known/webauthn`);
  assert.deepEqual(Object.keys((await manifest.json()) as object), ['origins']);
}

async function servesFiles(wallet: RunningWorker, built: string): Promise<void> {
  const types = {
    js: 'text/javascript; charset=utf-8',
    wasm: 'application/wasm',
  };
  const files = readdirSync(join(built, 'sdk'));
  for (const [ending, type] of Object.entries(types)) {
    const name = files.find((file) => file.endsWith(`.${ending}`));
    if (!name) throw new Error(`the wallet page has no .${ending} file`);
    const answer = await fetch(`${wallet.url}/sdk/${name}`);
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, type]);
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.ok(answer.headers.get('content-security-policy')?.includes("frame-ancestors 'none'"));
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), readFileSync(join(built, 'sdk', name)));
  }
}

async function refuses(wallet: RunningWorker): Promise<void> {
  const refused = await pageFor(wallet, 'https://evil.example', {
    headers: { origin: 'https://evil.example' },
  });
  assert.equal(refused.status, 403);
  assert.equal(refused.headers.get('access-control-allow-origin'), '*');
  assert.ok(refused.headers.get('content-security-policy')?.includes("frame-ancestors 'none'"));
  assert.match(await refused.text(), /https:\/\/evil\.example/);
  // Every asset passes through the Worker, which sets the headers.
  for (const path of ['/index.html', '/sdk/missing.js', '/sdk/', '/sdk/..%2findex.html', '/nothing']) {
    const { status, headers } = await fetch(wallet.url + path);
    assert.deepEqual([path, status, headers.get('content-type')], [path, 404, 'text/plain; charset=utf-8']);
  }
  const posted = await fetch(`${wallet.url}/service/`, { method: 'POST', body: 'x' });
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
}

/** A client that waits for the registry's list gets its answer even if the first waiting client has disconnected. */
async function waitsForOneWhoLeft(wallet: RunningWorker, node: FaultProxy): Promise<void> {
  await wallet.restart({ NEAR_RPC_URL: node.url, RELAY_URL: RELAY });
  node.calls.length = 0;
  const release = node.hold('query:get_allowed_hosts');
  const leaving = new AbortController();
  const left = assert.rejects(pageFor(wallet, 'https://first.example', { signal: leaving.signal }));
  while (node.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  leaving.abort();
  await left;
  const waiting = pageFor(wallet, 'https://second.example');
  release();
  assert.equal((await waiting).status, 403);
}
