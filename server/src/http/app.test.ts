import { base64urlnopad } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { RFC3526_GROUP_14_P } from '../../../ts/src/config.js';
import { encodeNumber } from '../testing/lock-numbers.js';
import { registrationRequest } from '../testing/requests.js';
import { APP, group, keyText, lock, type ScriptedRelay, scriptedRelay } from '../testing/scripted-relay.js';
import type { RelayServices } from './app.js';
import { Refusal } from './refusal.js';

const { currentKeyId } = lock.keyInfo;

const relay = (services: Partial<RelayServices> = {}, chain?: ScriptedRelay['chain']) =>
  scriptedRelay({ services, ...(chain && { chain }) });

describe('the lock’s routes (core 7)', () => {
  it('apply the lock and remove it again', async () => {
    const { post } = relay();
    const applied = await post('/vrf/apply-server-lock', { kek_c_b64u: encodeNumber(4n) });
    expect(applied.status).toBe(200);
    const { kek_cs_b64u, keyId } = (await applied.json()) as { kek_cs_b64u: string; keyId: string };
    expect(keyId).toBe(currentKeyId);
    const removed = await post('/vrf/remove-server-lock', { kek_cs_b64u, keyId });
    expect(await removed.json()).toEqual({ kek_c_b64u: encodeNumber(4n) });
    expect(removed.headers.get('cache-control')).toBe('no-store');
  });

  it('return the keys and the group', async () => {
    const { app } = relay();
    const answer = await app.request('/shamir/key-info');
    expect(await answer.json()).toEqual({ currentKeyId, p_b64u: RFC3526_GROUP_14_P, graceKeyIds: [] });
  });

  it.each([
    ['/vrf/apply-server-lock', {}, 'kek_c_b64u'],
    ['/vrf/apply-server-lock', { kek_c_b64u: 7 }, 'kek_c_b64u'],
    ['/vrf/apply-server-lock', [], 'kek_c_b64u is missing'],
    ['/vrf/apply-server-lock', 'null', 'the body'],
    ['/vrf/apply-server-lock', '{', 'not JSON'],
    ['/vrf/apply-server-lock', '', 'not JSON'],
    ['/vrf/apply-server-lock', { kek_c_b64u: '' }, 'leading zeros'],
    ['/vrf/apply-server-lock', { kek_c_b64u: 'AA' }, 'leading zeros'],
    ['/vrf/apply-server-lock', { kek_c_b64u: encodeNumber(1n) }, 'must lie in 2..p-2'],
    ['/vrf/apply-server-lock', { kek_c_b64u: encodeNumber(group.p - 1n) }, 'must lie in 2..p-2'],
    ['/vrf/apply-server-lock', { kek_c_b64u: encodeNumber(group.p) }, 'must lie in 2..p-2'],
    ['/vrf/apply-server-lock', { kek_c_b64u: encodeNumber(group.p << 8n) }, 'too long'],
    ['/vrf/apply-server-lock', { kek_c_b64u: 'AAA+' }, 'base64url'],
    ['/vrf/apply-server-lock', { kek_c_b64u: 'Ag==' }, 'base64url'],
    ['/vrf/remove-server-lock', { kek_cs_b64u: encodeNumber(4n) }, 'keyId'],
    ['/vrf/remove-server-lock', { kek_cs_b64u: encodeNumber(4n), keyId: '' }, 'keyId'],
    [
      '/vrf/remove-server-lock',
      { kek_cs_b64u: encodeNumber(4n), keyId: 'AAAAAAAAAAAAAAAAAAAAAA' },
      'keyId is not a key',
    ],
    ['/vrf/remove-server-lock', { kek_cs_b64u: encodeNumber(4n), keyId: '__proto__' }, 'keyId is not a key'],
    [
      '/vrf/remove-server-lock',
      { kek_cs_b64u: encodeNumber(group.p - 1n), keyId: currentKeyId },
      'must lie in 2..p-2',
    ],
  ])('%s refuses %j with 400 and a reason', async (path, body, message) => {
    const { post } = relay();
    const answer = await post(path, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ success: false, message: expect.stringContaining(message) });
  });

  it('are disabled without a key', async () => {
    const { app, post } = relay({ lock: null });
    for (const answer of [
      await post('/vrf/apply-server-lock', { kek_c_b64u: encodeNumber(4n) }),
      await post('/vrf/remove-server-lock', { kek_cs_b64u: encodeNumber(4n), keyId: 'x' }),
      await app.request('/shamir/key-info'),
    ]) {
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({ error: 'shamir_disabled' });
    }
    expect(await (await app.request('/healthz')).json()).toEqual({ ok: true, currentKeyId: null });
  });
});

describe('a path that another reader could read as a route', () => {
  it.each([
    '/create%5Faccount_and_register_user',
    '//create_account_and_register_user',
    '/signed%2Ddelegate',
    '/vrf/apply%2Dserver-lock',
    '/vrf//apply-server-lock',
  ])('is nowhere: POST %s answers 404', async (path) => {
    const answer = await relay().post(`http://relay.example${path}`, {});
    expect([answer.status, await answer.json()]).toEqual([
      404,
      expect.objectContaining({ error: 'not_found' }),
    ]);
  });

  it('is nowhere for an app without a registrar, which pays for nothing by any path', async () => {
    const { post } = relay({ registrar: null, readiness: null });
    for (const path of ['/create_account_and_register_user', '/signed-delegate'])
      expect((await post(path, registrationRequest())).status).toBe(404);
  });
});

describe('an answer of the relay', () => {
  it('asks for https from now on, except on this machine [S60]', async () => {
    const { app } = relay();
    const security = async (url: string) => (await app.request(url)).headers.get('strict-transport-security');
    for (const path of ['/healthz', '/nothing', '/shamir/key-info'])
      expect(await security(`https://relay.example${path}`)).toBe('max-age=31536000');
    expect(await security('http://localhost:3000/healthz')).toBeNull();
  });
});

describe('the registration’s shape (core 7)', () => {
  const vrf = registrationRequest().vrf_data;
  const credential = registrationRequest().webauthn_registration;

  it.each<[string, Record<string, unknown>]>([
    ['new_account_id', { new_account_id: undefined }],
    ['new_account_id', { new_account_id: 'Alice.w3a-v1.testnet' }],
    ['new_account_id', { new_account_id: 'alice.testnet' }],
    ['new_account_id', { new_account_id: 'a.b.w3a-v1.testnet' }],
    ['new_account_id', { new_account_id: `${'a'.repeat(45)}.w3a-v1.testnet` }],
    ['new_account_id', { new_account_id: 'w3a-v1.testnet' }],
    ['new_public_key', { new_public_key: 'ed25519:abc' }],
    ['new_public_key', { new_public_key: 'secp256k1:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2' }],
    ['device_number', { device_number: 2 }],
    ['vrf_data', { vrf_data: 'x' }],
    ['vrf_data.vrf_proof', { vrf_data: { ...vrf, vrf_proof: vrf.vrf_proof.slice(1) } }],
    ['vrf_data.vrf_output', { vrf_data: { ...vrf, vrf_output: vrf.vrf_output.map((byte) => byte + 256) } }],
    ['vrf_data.block_height', { vrf_data: { ...vrf, block_height: -1 } }],
    ['vrf_data.block_height', { vrf_data: { ...vrf, block_height: 2 ** 60 } }],
    ['vrf_data.intent_digest_32', { vrf_data: { ...vrf, intent_digest_32: undefined } }],
    ['vrf_data.user_id', { vrf_data: { ...vrf, user_id: 'bob.w3a-v1.testnet' } }],
    ['webauthn_registration.type', { webauthn_registration: { ...credential, type: 'password' } }],
    ['webauthn_registration.response', { webauthn_registration: { ...credential, response: null } }],
    ['webauthn_registration.id', { webauthn_registration: { ...credential, id: 'a+b' } }],
    ['deterministic_vrf_public_key', { deterministic_vrf_public_key: [] }],
    [
      'authenticator_options.origin_policy',
      { authenticator_options: { origin_policy: { all_subdomains: false } } },
    ],
    [
      'authenticator_options.origin_policy',
      { authenticator_options: { origin_policy: { all_subdomains: true, single: true } } },
    ],
  ])('is refused with 400 when %s is wrong: %j', async (field, changes) => {
    const { post, lines } = relay();
    const answer = await post('/create_account_and_register_user', registrationRequest(changes));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      success: false,
      error: 'invalid_request',
      message: expect.stringContaining(field),
    });
    expect(lines.join()).not.toContain('Y3JlZA');
  });

  it('accepts bytes as base64url text, and asks the chain only for a valid request', async () => {
    const { post } = relay();
    const text = base64urlnopad.encode(Uint8Array.from(vrf.vrf_proof));
    const answer = await post(
      '/create_account_and_register_user',
      registrationRequest({ vrf_data: { ...vrf, vrf_proof: text } }),
    );
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      error: 'chain_unreachable',
      message: expect.stringContaining('Nothing was sent'),
    });
    expect(answer.headers.get('retry-after')).toBe('5');
  });
});

describe('the body', () => {
  it('is refused above 64 KB, with or without a declared length', async () => {
    const { app, post } = relay();
    const large = JSON.stringify({ kek_c_b64u: 'A'.repeat(64 * 1024) });
    expect((await post('/vrf/apply-server-lock', large)).status).toBe(413);
    const chunks = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < large.length; sent += 1000) {
          controller.enqueue(new TextEncoder().encode(large.slice(sent, sent + 1000)));
        }
        controller.close();
      },
    });
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: chunks,
      duplex: 'half',
    };
    const streamed = await app.request('/vrf/apply-server-lock', init as RequestInit);
    expect(streamed.status).toBe(413);
    expect(await streamed.json()).toMatchObject({ error: 'body_too_large' });
  });

  it('must be declared as JSON, which a foreign page cannot do without a preflight', async () => {
    const { post } = relay();
    const answer = await post(
      '/vrf/apply-server-lock',
      { kek_c_b64u: encodeNumber(4n) },
      { 'content-type': 'text/plain' },
    );
    expect(answer.status).toBe(415);
  });
});

describe('CORS', () => {
  const preflight = (origin: string) => ({
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  });

  it('admits the expected origin, on answers of every status', async () => {
    const { app, post } = relay();
    const asked = await app.request('/vrf/apply-server-lock', preflight(APP));
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(APP);
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST');
    for (const answer of [
      await post('/vrf/apply-server-lock', { kek_c_b64u: encodeNumber(4n) }, { origin: APP }),
      await post('/vrf/apply-server-lock', {}, { origin: APP }),
      await post('/vrf/apply-server-lock', 'A'.repeat(70_000), { origin: APP }),
      await post('/nothing', {}, { origin: APP }),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(APP);
      expect(answer.headers.get('vary')).toContain('Origin');
    }
  });

  it.each(['http://localhost:5174', 'https://localhost:5173', 'http://localhost:5173.evil.example', 'null'])(
    'sends no header to %s',
    async (origin) => {
      const { app, post } = relay();
      expect(
        (await app.request('/vrf/apply-server-lock', preflight(origin))).headers.get(
          'access-control-allow-origin',
        ),
      ).toBeNull();
      const answer = await post('/vrf/apply-server-lock', { kek_c_b64u: encodeNumber(4n) }, { origin });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    },
  );
});

describe('/.well-known/webauthn (frame 7)', () => {
  const bytes = (value: unknown) => [...new TextEncoder().encode(JSON.stringify(value))];
  const AT_BLOCK = { block_height: 7, block_hash: '11111111111111111111111111111111' };

  it('returns the registry’s list, asks once a minute, and keeps the last list for an hour while the chain is unreachable [S47]', async () => {
    let isUp = true;
    let asked = 0;
    const { app } = relay({}, (params) => {
      asked += 1;
      expect(params).toMatchObject({ method_name: 'get_allowed_origins', account_id: 'w3a-v1.testnet' });
      if (!isUp) throw new TypeError('fetch failed');
      return { result: bytes(['https://a.example']), logs: [], ...AT_BLOCK };
    });
    const answers = await Promise.all([1, 2, 3].map(() => app.request('/.well-known/webauthn')));
    expect(asked).toBe(1);
    for (const answer of answers) {
      expect(await answer.json()).toEqual({ origins: ['https://a.example'] });
      expect(answer.headers.get('cache-control')).toBe('max-age=60, stale-while-revalidate=600');
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    }
    isUp = false;
    const first = Date.now();
    const now = Date.now;
    try {
      Date.now = () => first + 61_000;
      const answer = await app.request('/.well-known/webauthn');
      expect(await answer.json()).toEqual({ origins: ['https://a.example'] });
      Date.now = () => first + 3_660_000;
      expect((await app.request('/.well-known/webauthn')).status).toBe(503);
    } finally {
      Date.now = now;
    }
    expect(asked).toBe(3);
  });

  it('answers 503 when no list was ever read', async () => {
    const answer = await relay().app.request('/.well-known/webauthn');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('health', () => {
  it('is live immediately, and ready when the chain answers', async () => {
    const { app } = relay({
      readiness: { check: () => Promise.reject(new Refusal('not_ready', 'The chain cannot be read.')) },
    });
    expect(await (await app.request('/healthz')).json()).toEqual({ ok: true, currentKeyId });
    const answer = await app.request('/readyz');
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: 'not_ready', message: 'The chain cannot be read.' });
    expect(await (await relay().app.request('/readyz')).json()).toEqual({ ok: true, currentKeyId });
  });
});

describe('logs and request ids', () => {
  it('write one line for each request, with its id and without its content', async () => {
    const { post, lines } = relay();
    const answer = await post(
      '/vrf/apply-server-lock',
      { kek_c_b64u: encodeNumber(123_456_789n) },
      { 'x-request-id': 'abc-1' },
    );
    expect(answer.headers.get('x-request-id')).toBe('abc-1');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      event: 'request',
      requestId: 'abc-1',
      path: '/vrf/apply-server-lock',
      status: 200,
    });
    expect(lines[0]).not.toContain(encodeNumber(123_456_789n));
    expect(lines[0]).not.toContain(keyText.d_s_b64u);
  });

  it.each([
    '"}{ "level":"error"',
    'a b',
    'a\tb',
    '\\u000a',
    'a,b',
    '%0d%0a',
    'ÿ',
    '<b>',
    'x'.repeat(65),
    '../../..',
  ])('replace the id %j, which has other characters or is too long', async (id) => {
    const { app, lines } = relay();
    const answer = await app.request('/healthz', { headers: { 'x-request-id': id } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(lines.join()).not.toContain(id);
  });

  it('stay one JSON line each, whatever the requested path', async () => {
    const { app, lines } = relay();
    const path = '/"}%0a{"level":"error","event":"forged"}\u2028';
    expect((await app.request(path)).status).toBe(404);
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).not.toContain('\n');
      expect(JSON.parse(line).event).toMatch(/^(request|refused)$/);
    }
  });

  it('hide an unexpected error from the caller, and log it', async () => {
    const { app, lines } = relay({
      manifest: { origins: () => Promise.reject(new Error('inner workings')) },
    });
    const answer = await app.request('/.well-known/webauthn');
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('inner workings');
    expect(lines.join()).toContain('inner workings');
  });
});
