import { KeyPair, KeyPairSigner } from 'near-api-js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApi } from './templates/hono/api/app.js';
import { createExpiring } from './templates/hono/api/expiring.js';

const ORIGIN = 'https://app.example';
/** A node that does not answer. */
const NOWHERE = 'http://127.0.0.1:9';

const api = createApi({ origin: ORIGIN, rpcUrls: [NOWHERE] });
const post = (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  api.request(`/api/${path}`, {
    method: 'POST',
    headers: { origin: ORIGIN, ...headers },
    body: JSON.stringify(body),
  });

/** A message that a key of alice.testnet signs, and the cookie of its login. */
async function begin() {
  const answer = await post('login/begin');
  const { message, recipient, nonce } = await answer.json();
  const signer = new KeyPairSigner(KeyPair.fromRandom('ed25519'));
  const payload = { message, recipient, nonce: new Uint8Array(Buffer.from(nonce, 'base64')) };
  const { publicKey, signature } = await signer.signNep413Message('alice.testnet', payload);
  const signed = {
    accountId: 'alice.testnet',
    publicKey: publicKey.toString(),
    signature: Buffer.from(signature).toString('base64'),
  };
  return { signed, cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
}

describe('the server of the template hono', () => {
  beforeEach(() => {
    vi.spyOn(console, 'warn').mockReturnValue();
    vi.spyOn(console, 'error').mockReturnValue();
  });
  afterEach(() => vi.restoreAllMocks());

  it('hides its cookies from scripts and other sites, and sends them by https alone', async () => {
    const cookie = (await post('login/begin')).headers.get('set-cookie');
    for (const part of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/api'])
      expect(cookie?.split('; ')).toContain(part);
  });

  it.each(['https://other.app.example', 'null', undefined])(
    'takes no post of a page at %s',
    async (origin) => {
      const headers = origin === undefined ? {} : { origin };
      const answer = await api.request('/api/login/begin', { method: 'POST', headers });
      expect([answer.status, await answer.json()]).toEqual([403, { error: 'OTHER_PAGE' }]);
    },
  );

  it('does not let an unreachable chain pass for a bad signature, and takes the nonce all the same', async () => {
    const { signed, cookie } = await begin();
    const answers = [];
    for (let time = 0; time < 2; time++) {
      const answer = await post('login/finish', signed, { cookie });
      answers.push([answer.status, (await answer.json()).error]);
    }
    expect(answers).toEqual([
      [503, 'CHAIN_UNREACHABLE'],
      [401, 'ASK_AGAIN'],
    ]);
  });

  it('refuses a signature of another login, and a body that is none', async () => {
    const { signed } = await begin();
    const other = await begin();
    expect((await post('login/finish', signed, { cookie: other.cookie })).status).toBe(401);
    const { cookie } = await begin();
    expect((await post('login/finish', null, { cookie })).status).toBe(401);
  });

  it('reads no long body', async () => {
    expect((await post('login/finish', 'x'.repeat(20_000))).status).toBe(413);
  });

  it('keeps what is private from those without a session', async () => {
    const answer = await api.request('/api/private/greeting', { headers: { cookie: 'session=guess' } });
    expect([answer.status, await answer.json()]).toEqual([401, { error: 'NO_SESSION' }]);
  });
});

describe('what expires', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is there until its time is over, and is taken once', () => {
    const kept = createExpiring<string>({ lifetimeMs: 1000, max: 10 });
    const [first, second] = [kept.add('first'), kept.add('second')];
    expect([kept.take(first), kept.take(first)]).toEqual(['first', undefined]);
    vi.advanceTimersByTime(999);
    expect(kept.get(second)).toBe('second');
    vi.advanceTimersByTime(1);
    expect(kept.get(second)).toBeUndefined();
  });

  it('makes room for one more by forgetting the oldest', () => {
    const kept = createExpiring<number>({ lifetimeMs: 1000, max: 2 });
    const ids = [1, 2, 3].map((value) => kept.add(value));
    expect(ids.map((id) => kept.get(id))).toEqual([undefined, 2, 3]);
  });
});
