import fc from 'fast-check';
import type { Context } from 'hono';
import { describe, expect, it } from 'vitest';
import { rpcError } from '../../../ts/src/near/rpc-error.js';
import { ourViews } from '../../../ts/src/registry/testing/our-registry.js';
import { type Limited, noMetrics } from '../observe/metrics.js';
import type { RegistrarOptions } from '../registration/registrar.js';
import { encodeNumber } from '../testing/lock-numbers.js';
import { registrationRequest } from '../testing/requests.js';
import { APP, scriptedRelay } from '../testing/scripted-relay.js';
import { createLimits, type RateLimits } from './limits.js';
import { TokenBuckets } from './rate-buckets.js';
import { Refusal } from './refusal.js';

const OFF: RateLimits = { registrations: null, lock: null, delegate: null, app_key: null, origins: null };

/** Limits with a manual clock and named clients. */
function limits(rates: Partial<RateLimits>) {
  const clock = { ms: 1_000_000 };
  const refusedBy: string[] = [];
  let client = '';
  const made = createLimits({
    rates: { ...OFF, ...rates },
    clientAddress: () => client,
    metrics: { ...noMetrics, limited: (limit, scope) => refusedBy.push(`${limit} ${scope}`) },
    buckets: (_, rate) => new TokenBuckets(rate, () => clock.ms),
  });
  /** The refusal, or null if it passed. */
  const take = (address: string, limited: Limited = 'lock'): Refusal | null => {
    client = address;
    try {
      made.take(limited, {} as Context);
      return null;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  };
  const takeMany = (count: number, address: string, limited?: Limited) =>
    Array.from({ length: count }, () => take(address, limited)).filter((refusal) => refusal === null).length;
  return { take, takeMany, clock, refusedBy, made };
}

describe('a limit', () => {
  it('lets a full bucket pass, then reports the wait and keeps to it', () => {
    const { take, takeMany, clock } = limits({ lock: { perAddress: 6, total: 1000 } });
    expect(takeMany(6, 'a')).toBe(6);
    const refusal = take('a');
    expect(refusal).toMatchObject({ code: 'too_many_requests', status: 429, retryAfterSeconds: 10 });
    expect(refusal?.message).toContain('from your network');
    expect(refusal?.message).toContain('try again in 10 seconds');
    clock.ms += 9_000;
    expect(take('a')).toMatchObject({ retryAfterSeconds: 1 });
    clock.ms += 1_000;
    expect(take('a')).toBeNull();
    expect(take('a')).not.toBeNull();
    clock.ms += 60_000;
    expect(takeMany(10, 'a')).toBe(6);
  });

  it('counts each address separately, and does not count refused requests', () => {
    const { takeMany, take, clock, refusedBy } = limits({ lock: { perAddress: 2, total: 1000 } });
    expect(takeMany(50, 'a')).toBe(2);
    expect(takeMany(50, 'b')).toBe(2);
    clock.ms += 30_000;
    expect(take('a')).toBeNull();
    expect(new Set(refusedBy)).toEqual(new Set(['lock address']));
  });

  it('also limits all addresses together, without charging an address for that', () => {
    const { take, takeMany, clock, refusedBy } = limits({ lock: { perAddress: 2, total: 4 } });
    expect([takeMany(2, 'a'), takeMany(2, 'b')]).toEqual([2, 2]);
    expect(take('c')).toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 15 });
    expect(take('c')?.message).toContain('at this relay');
    expect(refusedBy).toEqual(['lock total', 'lock total']);
    clock.ms += 60_000;
    expect(takeMany(3, 'c')).toBe(2);
  });

  it('of one route does not affect the others, and a disabled one refuses nothing', () => {
    const { takeMany } = limits({ lock: { perAddress: 1, total: 1 } });
    expect(takeMany(3, 'a', 'lock')).toBe(1);
    expect(takeMany(500, 'a', 'origins')).toBe(500);
  });

  it('of registrations leaves room to ask again about each outcome', () => {
    const { takeMany } = limits({ registrations: { perAddress: 5, total: 100 } });
    expect(takeMany(100, 'a', 'registrations')).toBe(5);
    expect(takeMany(100, 'a', 'registration_requests')).toBe(30);
  });

  it('evicts addresses above its maximum, the longest silent first', () => {
    const { take } = limits({ lock: { perAddress: 1, total: 1_000_000 } });
    expect(take('first')).toBeNull();
    for (let address = 0; address < 19_999; address += 1) take(`address ${address}`);
    expect(take('first')).not.toBeNull();
    expect(take('one more')).toBeNull();
    expect(take('first')).toBeNull();
    expect(take('one more')).not.toBeNull();
    expect(take('address 19998')).not.toBeNull();
  });

  it('never lets more pass than its bucket and the time allow', () => {
    const step = fc.record({
      waitMs: fc.integer({ min: 0, max: 90_000 }),
      address: fc.constantFrom('a', 'b', 'c'),
      count: fc.integer({ min: 1, max: 20 }),
    });
    const rate = fc.record({
      perAddress: fc.integer({ min: 1, max: 9 }),
      more: fc.integer({ min: 0, max: 9 }),
    });
    fc.assert(
      fc.property(rate, fc.array(step, { maxLength: 40 }), ({ perAddress, more }, steps) => {
        const total = perAddress + more;
        const { takeMany, clock } = limits({ lock: { perAddress, total } });
        const passed: { at: number; address: string }[] = [];
        for (const { waitMs, address, count } of steps) {
          clock.ms += waitMs;
          const taken = takeMany(count, address);
          for (let each = 0; each < taken; each += 1) passed.push({ at: clock.ms, address });
          for (const { at: from } of passed) {
            const since = passed.filter(({ at }) => at >= from);
            const minutes = (clock.ms - from) / 60_000;
            expect(since.length).toBeLessThanOrEqual(total * (1 + minutes) + 1e-6);
            const ofAddress = since.filter((entry) => entry.address === address);
            expect(ofAddress.length).toBeLessThanOrEqual(perAddress * (1 + minutes) + 1e-6);
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('a relay with limits', () => {
  const LOCK_BODY = { kek_c_b64u: encodeNumber(4n) };
  const limited = (rates: Partial<RateLimits>, registrar?: Partial<RegistrarOptions>) =>
    scriptedRelay({
      services: { limits: limits(rates).made },
      ...(registrar && { registrar }),
    });

  it('answers 429 with advice and its id, readable by the page', async () => {
    const { post } = limited({ lock: { perAddress: 2, total: 100 } });
    for (const status of [200, 200]) {
      expect((await post('/vrf/apply-server-lock', LOCK_BODY)).status).toBe(status);
    }
    const refused = await post('/vrf/remove-server-lock', {}, { origin: APP });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(refused.headers.get('access-control-allow-origin')).toBe(APP);
    expect(refused.headers.get('access-control-expose-headers')).toMatch(/retry-after/i);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(await refused.json()).toEqual({
      success: false,
      error: 'too_many_requests',
      message: expect.stringContaining('try again in 30 seconds'),
      requestId: refused.headers.get('x-request-id'),
    });
  });

  it('does not count preflights, health and the key’s information', async () => {
    const { app } = limited({
      registrations: { perAddress: 1, total: 1 },
      lock: { perAddress: 1, total: 1 },
      origins: { perAddress: 1, total: 1 },
      delegate: { perAddress: 1, total: 1 },
    });
    const headers = { origin: APP, 'access-control-request-method': 'POST' };
    for (let count = 0; count < 20; count += 1) {
      for (const path of ['/vrf/apply-server-lock', '/create_account_and_register_user']) {
        expect((await app.request(path, { method: 'OPTIONS', headers })).status).toBe(204);
      }
      for (const path of ['/healthz', '/readyz', '/shamir/key-info']) {
        expect((await app.request(path)).status).toBe(200);
      }
    }
  });

  it('refuses before it reads the body', async () => {
    const { app } = limited({ lock: { perAddress: 1, total: 1 } });
    let pulled = 0;
    const send = () => {
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            pulled += 1;
            controller.enqueue(new TextEncoder().encode('{}'));
            controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body, duplex: 'half' };
      return app.request('/vrf/apply-server-lock', init as RequestInit);
    };
    expect((await send()).status).toBe(400);
    expect(pulled).toBe(1);
    expect((await send()).status).toBe(429);
    expect(pulled).toBe(1);
  });

  it('also limits delegates and the list of origins', async () => {
    const { app, post } = limited({
      delegate: { perAddress: 1, total: 1 },
      origins: { perAddress: 1, total: 1 },
    });
    expect((await app.request('/.well-known/webauthn')).status).toBe(503);
    expect((await app.request('/.well-known/webauthn')).status).toBe(429);
    expect((await post('/signed-delegate', {})).status).not.toBe(429);
    expect((await post('/signed-delegate', {})).status).toBe(429);
  });

  it('does not limit repeated questions about one registration', async () => {
    const lost = rpcError({ kind: 'outcome_unknown', transactionId: 'tx1' }, { reason: 'lost' });
    const signed: string[] = [];
    const rpc = {
      viewAccount: async () => null,
      callFunction: async () => ({
        bytes: new TextEncoder().encode('{"verified":true,"user_exists":false}'),
        logs: [],
        blockHeight: 7,
        blockHash: '11111111111111111111111111111111',
      }),
      callFunctionJson: ourViews,
      sendTransaction: () => Promise.reject(lost),
    } as unknown as RegistrarOptions['rpc'];
    const relayer: RegistrarOptions['relayer'] = {
      accountId: 'relayer.testnet',
      async sign() {
        signed.push(`tx${signed.length + 1}`);
        return { borshBytes: new Uint8Array(), hash: `tx${signed.length}`, publicKey: 'ed25519:K' };
      },
      learn: async () => false,
    };
    const { post } = limited({ registrations: { perAddress: 1, total: 1 } }, { rpc, relayer });
    const register = (name: string) => {
      const vrf_data = { ...registrationRequest().vrf_data, user_id: `${name}.w3a-v1.testnet` };
      const request = registrationRequest({ new_account_id: `${name}.w3a-v1.testnet`, vrf_data });
      return post('/create_account_and_register_user', request);
    };
    const first = await register('alice');
    expect([first.status, await first.json()]).toMatchObject([502, { error: 'outcome_unknown' }]);
    const other = await register('bob');
    expect([other.status, await other.json()]).toMatchObject([429, { error: 'too_many_requests' }]);
    for (let again = 0; again < 4; again += 1) expect((await register('alice')).status).toBe(502);
    expect(signed).toEqual(['tx1']);
  });
});
