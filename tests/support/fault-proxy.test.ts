import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FaultProxy, fromTransaction, startFaultProxy } from './fault-proxy.js';

let service: Server;
let proxy: FaultProxy;
let seen: string[];

beforeAll(async () => {
  service = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(body);
    response.writeHead(200, { 'content-type': 'application/json', 'x-own': 'kept' });
    response.end(JSON.stringify({ echo: JSON.parse(body || 'null') }));
  });
  const port = await new Promise<number>((resolve) => {
    service.listen(0, '127.0.0.1', () => resolve((service.address() as { port: number }).port));
  });
  proxy = await startFaultProxy(`http://127.0.0.1:${port}`);
});

beforeEach(() => {
  seen = [];
  proxy.heal();
  proxy.calls.length = 0;
});

afterAll(async () => {
  await proxy.close();
  await new Promise((resolve) => service.close(resolve));
});

const post = (path: string, body: unknown) =>
  fetch(proxy.url + path, { method: 'POST', body: JSON.stringify(body) });
const view = (method_name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'query',
  params: { request_type: 'call_function', method_name },
});

test('forwards each call and names it', async () => {
  const response = await post('/', view('get_greeting'));
  expect(response.headers.get('x-own')).toBe('kept');
  expect(await response.json()).toEqual({ echo: view('get_greeting') });
  await post('/', { method: 'send_tx', params: {} });
  await post('/vrf/apply-server-lock', {});
  await fetch(`${proxy.url}/shamir/key-info`, { method: 'OPTIONS' });
  expect(proxy.calls.map(({ name, status }) => [name, status])).toEqual([
    ['query:get_greeting', 200],
    ['send_tx', 200],
    ['/vrf/apply-server-lock', 200],
  ]);
});

test('refuses only the named call, until it is healed', async () => {
  const heal = proxy.fail('send_tx', { kind: 'refuse' });
  await expect(post('/', { method: 'send_tx' })).rejects.toThrow('fetch failed');
  expect((await post('/', { method: 'block' })).status).toBe(200);
  heal();
  expect((await post('/', { method: 'send_tx' })).status).toBe(200);
  expect(seen).toHaveLength(2);
});

test('fails the configured number of times, not counting preflights', async () => {
  proxy.fail('/create', { kind: 'status', status: 503 }, 2);
  const statuses = async () => (await post('/create', {})).status;
  expect(await statuses()).toBe(503);
  await fetch(`${proxy.url}/create`, { method: 'OPTIONS' });
  expect([await statuses(), await statuses()]).toEqual([503, 200]);
});

test('answers with its own status, which a page may read', async () => {
  proxy.fail('*', { kind: 'status', status: 503, body: { error: 'down' } });
  const response = await fetch(proxy.url, { headers: { origin: 'http://localhost:5173' } });
  expect(response.status).toBe(503);
  expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
  expect(await response.json()).toEqual({ error: 'down' });
  expect(seen).toEqual([]);
});

test('drops the answer after the service has received the request', async () => {
  proxy.fail('send_tx', { kind: 'drop-answer' });
  await expect(post('/', { method: 'send_tx' })).rejects.toThrow('fetch failed');
  expect(seen).toEqual(['{"method":"send_tx"}']);
  expect(proxy.calls[0]).not.toHaveProperty('status');
});

test('changes requests and answers on the way', async () => {
  proxy.fail('/create', { kind: 'rewrite-request', rewrite: (body: object) => ({ ...body, key: 'other' }) });
  expect(await (await post('/create', { key: 'mine', a: 1 })).json()).toEqual({
    echo: { key: 'other', a: 1 },
  });
  proxy.heal();
  proxy.fail('/create', { kind: 'rewrite-answer', rewrite: () => ({ changed: true }) });
  expect(await (await post('/create', {})).json()).toEqual({ changed: true });
});

test('delays a call', async () => {
  proxy.fail('block', { kind: 'delay', ms: 80 });
  const started = performance.now();
  await post('/', { method: 'block' });
  expect(performance.now() - started).toBeGreaterThan(75);
});

test('meets the calls of one transaction, however often another one is sent', async () => {
  const send = (bytes: string) => post('/', { method: 'send_tx', params: { signed_tx_base64: bytes } });
  proxy.fail('send_tx', { kind: 'status', status: 500 }, undefined, { where: fromTransaction(2) });
  const statuses: number[] = [];
  for (const bytes of ['first', 'first', 'second', 'first', 'second'])
    statuses.push((await send(bytes)).status);
  expect(statuses).toEqual([200, 200, 500, 200, 500]);
});

test('holds a request until it is released', async () => {
  const release = proxy.hold('send_tx');
  const asking = post('/', { method: 'send_tx' });
  await post('/', { method: 'block' });
  expect(seen).toEqual(['{"method":"block"}']);
  release();
  expect((await asking).status).toBe(200);
});
