/** Failures that workerd cannot produce on demand; tests/packaging/workers runs the rest of the relay in workerd. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { developmentKey } from '../testing/devnet.js';
import { type RelayBindings, relayWorker } from './cloudflare.js';

const APP = 'https://app.example';
const moduleOf = async (path: string) =>
  WebAssembly.compile(await readFile(new URL(`../../../wasm/${path}`, import.meta.url)));

describe('a Worker whose Durable Object fails', () => {
  async function register(origin: string): Promise<Response> {
    const { worker } = relayWorker({
      relay: await moduleOf('relay/relay_bg.wasm'),
      vrf: await moduleOf('vrf/vrf_bg.wasm'),
    });
    const bindings: RelayBindings & Record<string, unknown> = {
      RELAYER_ACCOUNT_ID: 'relayer.testnet',
      RELAYER_PRIVATE_KEY: developmentKey('relayer.testnet'),
      EXPECTED_ORIGIN: APP,
      LOG_LEVEL: 'silent',
      RELAY: {
        idFromName: (name) => name,
        get: () => ({ fetch: () => Promise.reject(new Error('the object was reset')) }),
      },
    };
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
