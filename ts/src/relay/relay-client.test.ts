import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRelayClient } from './relay-client.js';

const relay = createRelayClient('http://relay.example');
const never = new AbortController().signal;
const answer = (status: number, body: unknown) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })),
  );
const create = () => relay.createAccountAndRegisterUser({}, never);

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the relay client (core 7)', () => {
  it('returns the transaction that created the account', async () => {
    answer(200, { success: true, transactionHash: 'hash', message: 'done' });
    expect(await create()).toEqual({ transactionHash: 'hash' });
  });

  it.each([
    [400, { success: false, error: 'not_verified', message: 'A bad proof.' }, 'A bad proof.'],
    [409, { success: false, error: 'account_exists' }, 'account_exists'],
    [429, { success: false }, 'HTTP 429'],
    [503, { success: false, error: 'chain_unreachable', message: 'Nothing was sent.' }, 'Nothing was sent.'],
    [503, { success: false, error: 'relayer_unfunded', message: 'No funds.' }, 'No funds.'],
    [503, { success: false, error: 'too_many_requests', message: 'Come back.' }, 'Come back.'],
    [503, { success: false, error: 'signup_unavailable', message: 'Not now.' }, 'Not now.'],
    [503, { success: false, error: 'not_ready', message: 'No record.' }, 'No record.'],
    [200, { success: false, error: 'not verified' }, 'not verified'],
    [404, 'no such route', 'HTTP 404'],
  ])('reports %i %j as a refusal with its message', async (status, body, message) => {
    answer(status, body);
    await expect(create()).rejects.toMatchObject({ code: 'RELAY_REFUSED', message, details: { status } });
  });

  it.each([
    [502, { success: false, error: 'outcome_unknown', message: 'It was sent.' }],
    [502, { success: false, error: 'chain_rejected' }],
    [503, { success: false }],
    [503, { error: 'chain_unreachable' }],
    [500, { success: false, error: 'internal' }],
    [408, 'too slow'],
    [504, '<html>gateway</html>'],
    [200, 'not json'],
    [200, {}],
  ])('does not report %i %j as a refusal, since the account may exist', async (status, body) => {
    answer(status, body);
    await expect(create()).rejects.toMatchObject({ code: 'RELAY_UNREACHABLE' });
  });

  it('stops reading an endless answer and does not report success', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(16_384).fill(32));
      },
    });
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => new Response(endless)),
    );
    await expect(create()).rejects.toMatchObject({ code: 'RELAY_UNREACHABLE' });
    expect(pulled).toBeLessThan(10);
  });

  it('cuts a long reason to 300 characters', async () => {
    answer(400, { success: false, message: 'x'.repeat(10_000) });
    await expect(create()).rejects.toMatchObject({ code: 'RELAY_REFUSED', message: 'x'.repeat(300) });
  });

  it('does not report a lost connection as a refusal', async () => {
    vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('Failed to fetch')));
    await expect(create()).rejects.toMatchObject({ code: 'RELAY_UNREACHABLE' });
    expect(await relay.isReachable(never)).toBe(false);
  });

  it.each([
    [
      'that keeps its answers from this page',
      async (_: unknown, { mode }: RequestInit) => {
        if (mode !== 'no-cors') throw new TypeError('Failed to fetch');
        return Response.error();
      },
      /does not accept https:\/\/wallet\.example.*EXPECTED_WALLET_ORIGIN/,
    ],
    [
      'that gives none to any page',
      async () => {
        throw new TypeError('Failed to fetch');
      },
      /Failed to fetch\. Check your connection, or whether a blocker/,
    ],
  ])('names the cause of a relay %s', async (_, fetching, named) => {
    vi.stubGlobal('location', { origin: 'https://wallet.example' });
    vi.stubGlobal('fetch', vi.fn(fetching));
    await expect(create()).rejects.toMatchObject({
      code: 'RELAY_UNREACHABLE',
      message: expect.stringMatching(named),
    });
  });

  it('does not take the end of a read, which its caller asked for, for a fault of the relay', async () => {
    vi.stubGlobal(
      'fetch',
      (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    const ending = new AbortController();
    const reading = relay.keyInfo(ending.signal);
    const reason = new Error('enough');
    ending.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  it('counts as reachable even when the relay reports bad health', async () => {
    answer(503, { ok: false });
    expect(await relay.isReachable(never)).toBe(true);
  });

  it('reads the lock key and rejects anything else', async () => {
    answer(200, { currentKeyId: 'k', p_b64u: 'p', graceKeyIds: [] });
    expect(await relay.keyInfo(never)).toMatchObject({ currentKeyId: 'k', p_b64u: 'p' });
    answer(200, { currentKeyId: 7 });
    await expect(relay.keyInfo(never)).rejects.toMatchObject({ code: 'SERVER_LOCK_FAILED' });
  });
});

describe('a signed delegate', () => {
  const send = () => relay.sendSignedDelegate({ hash: 'h', signedDelegate: 'AA==' }, never);

  it('returns the transaction that carried it', async () => {
    answer(200, { success: true, transactionHash: 'hash' });
    expect(await send()).toEqual({ transactionHash: 'hash' });
    const [url, init] = vi.mocked(fetch).mock.calls[0] ?? [];
    expect(url).toBe('http://relay.example/signed-delegate');
    expect(JSON.parse(String(init?.body))).toEqual({ hash: 'h', signedDelegate: 'AA==' });
  });

  it.each([
    [403, { success: false, error: 'not_allowed', message: 'Not this.' }, { relayCode: 'not_allowed' }],
    [
      404,
      { success: false, error: 'delegates_disabled', message: 'Off.' },
      { relayCode: 'delegates_disabled' },
    ],
    [
      502,
      { success: false, error: 'delegate_failed', message: 'It failed.', transactionHash: 'hash' },
      { relayCode: 'delegate_failed', transactionId: 'hash' },
    ],
  ])('is refused by %i %j, with the code and the transaction', async (status, body, details) => {
    answer(status, body);
    await expect(send()).rejects.toMatchObject({
      code: 'RELAY_REFUSED',
      message: body.message,
      details: { status, ...details },
    });
  });

  it.each([
    [502, { success: false, error: 'outcome_unknown' }],
    [500, { success: false, error: 'internal' }],
    [504, '<html>gateway</html>'],
    [200, { success: true }],
    [200, {}],
  ])('may have been executed after %i %j', async (status, body) => {
    answer(status, body);
    await expect(send()).rejects.toMatchObject({ code: 'RELAY_UNREACHABLE' });
  });
});

describe('a payment into an app key', () => {
  const body = { account_id: 'alice.testnet', public_key: 'ed25519:k', amount: '7', signup_voucher: 'v' };
  const fund = () => relay.fundAppKey(body, never);

  it('is asked for as the relay takes it, and returns its transaction', async () => {
    answer(200, { success: true, transactionHash: 'hash' });
    expect(await fund()).toEqual({ transactionHash: 'hash' });
    const [url, init] = vi.mocked(fetch).mock.calls[0] ?? [];
    expect(url).toBe('http://relay.example/fund-app-key');
    expect(JSON.parse(String(init?.body))).toEqual(body);
  });

  it('is refused where the chain gave it back, with the transaction', async () => {
    answer(502, { success: false, error: 'chain_rejected', message: 'Back.', transactionHash: 'hash' });
    await expect(fund()).rejects.toMatchObject({
      code: 'RELAY_REFUSED',
      details: { relayCode: 'chain_rejected', transactionId: 'hash' },
    });
  });
});
