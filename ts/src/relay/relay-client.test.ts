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

describe('the relay client', () => {
  it('gives the transaction of an account that was created', async () => {
    answer(200, { success: true, transactionHash: 'hash', message: 'done' });
    expect(await create()).toEqual({ transactionHash: 'hash' });
  });

  it.each([
    [400, { success: false, error: 'bad proof' }, 'bad proof'],
    [409, { success: false, message: 'it exists' }, 'it exists'],
    [429, { success: false }, 'HTTP 429'],
    [200, { success: false, error: 'not verified' }, 'not verified'],
    [404, 'no such route', 'HTTP 404'],
  ])('takes %i %j for a refusal and shows its words', async (status, body, message) => {
    answer(status, body);
    await expect(create()).rejects.toMatchObject({ code: 'RELAY_REFUSED', message, details: { status } });
  });

  it.each([
    [502, { success: false, error: 'chain trouble' }],
    [503, { success: false }],
    [408, 'too slow'],
    [504, '<html>gateway</html>'],
    [200, 'not json'],
    [200, {}],
  ])('does not take %i %j for a refusal: the account may exist', async (status, body) => {
    answer(status, body);
    await expect(create()).rejects.toMatchObject({ code: 'RELAY_UNREACHABLE' });
  });

  it('does not take a lost connection for a refusal', async () => {
    vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('Failed to fetch')));
    await expect(create()).rejects.toMatchObject({ code: 'RELAY_UNREACHABLE' });
    expect(await relay.isReachable(never)).toBe(false);
  });

  it('is reachable whatever the relay says of its health', async () => {
    answer(503, { ok: false });
    expect(await relay.isReachable(never)).toBe(true);
  });

  it('reads the lock key, and nothing that is not one', async () => {
    answer(200, { currentKeyId: 'k', p_b64u: 'p', graceKeyIds: [] });
    expect(await relay.keyInfo(never)).toMatchObject({ currentKeyId: 'k', p_b64u: 'p' });
    answer(200, { currentKeyId: 7 });
    await expect(relay.keyInfo(never)).rejects.toMatchObject({ code: 'SERVER_LOCK_FAILED' });
  });
});
