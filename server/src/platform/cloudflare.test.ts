/** Failures that workerd cannot produce on demand; tests/packaging/workers runs the rest of the relay in workerd. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { developmentKey } from '../../../tests/support/relay/devnet.js';
import { type RelayBindings, relayWorker } from './cloudflare.js';

const APP = 'https://app.example';
const moduleOf = async (path: string) =>
  WebAssembly.compile(await readFile(new URL(`../../wasm/${path}`, import.meta.url)));

const bindingsOf = (RELAY: RelayBindings['RELAY']): RelayBindings & Record<string, unknown> => ({
  RELAYER_ACCOUNT_ID: 'relayer.testnet',
  RELAYER_PRIVATE_KEY: developmentKey('relayer.testnet'),
  EXPECTED_ORIGIN: APP,
  LOG_LEVEL: 'silent',
  RELAY,
});
const modules = async () => ({
  relay: await moduleOf('relay/relay_bg.wasm'),
  vrf: await moduleOf('vrf/vrf_bg.wasm'),
});

describe('what a Worker asks its Durable Object', () => {
  async function ask(path: string, init: RequestInit = {}) {
    const { worker } = relayWorker(await modules());
    const asked: Request[] = [];
    const bindings = bindingsOf({
      idFromName: (name) => name,
      get: () => ({
        fetch: async (request) => {
          asked.push(request);
          return new Response('of the object');
        },
      }),
    });
    const request = new Request(`https://relay.example${path}`, init);
    const answer = await worker.fetch(request, bindings, { waitUntil: () => undefined });
    return { answer, asked };
  }

  it.each([
    '/create%5Faccount_and_register_user',
    '/%63reate_account_and_register_user',
    '//create_account_and_register_user',
    '/signed%2Ddelegate',
    '/signed-delegate%',
    '/fund-app-key%',
  ])('is nothing for POST %s, and its own app pays for none: it answers 404 [S59]', async (path) => {
    const { answer, asked } = await ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([answer.status, asked.length]).toEqual([404, 0]);
  });

  it('is a path of the table of routes, without the host and the query of the client [S59]', async () => {
    const headers = { 'content-type': 'application/json', 'cf-connecting-ip': '203.0.113.1' };
    const { asked } = await ask('/create_account_and_register_user?a=%2F', {
      method: 'POST',
      headers,
      body: '{"a":1}',
    });
    const [request] = asked;
    expect(request?.url).toBe('https://relay.invalid/create_account_and_register_user');
    expect([request?.method, await request?.text()]).toEqual(['POST', '{"a":1}']);
    expect(request?.headers.get('cf-connecting-ip')).toBe('203.0.113.1');
  });

  it('is also what a HEAD asks about money', async () => {
    const { asked } = await ask('/status', { method: 'HEAD' });
    expect(asked.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual(['HEAD /status']);
  });
});

describe('a Worker whose Durable Object fails', () => {
  async function register(origin: string): Promise<Response> {
    const { worker } = relayWorker(await modules());
    const bindings = bindingsOf({
      idFromName: (name) => name,
      get: () => ({ fetch: () => Promise.reject(new Error('the object was reset')) }),
    });
    const request = new Request('https://relay.example/create_account_and_register_user', {
      method: 'POST',
      headers: { origin },
      body: '{}',
    });
    return worker.fetch(request, bindings, { waitUntil: () => undefined });
  }

  it('tells the app to try again, in an answer that the app can read', async () => {
    const answer = await register(APP);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([502, '5']);
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP);
    expect(await answer.json()).toEqual({
      success: false,
      error: 'outcome_unknown',
      message: 'The relay was interrupted. Ask again with the same request: it is not paid for twice.',
      requestId: expect.any(String),
    });
  });

  it('lets no other page read that answer', async () => {
    const answer = await register('https://evil.example');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});
