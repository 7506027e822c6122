// Specification: core 4
import { expect, it, onTestFinished, vi } from 'vitest';
import { CANCELLED, LatchkeyError, NEAR_RPC_FAILED, PASSKEY_EXISTS } from '../errors/wallet.js';
import { refreshed, retrying } from './retrying.js';

const chain = (kind: string, status?: number) =>
  new LatchkeyError(NEAR_RPC_FAILED, { details: { kind, ...(status && { status }) } });
const unanswered = () => new AbortController().signal;

it.each([
  ['a network error', chain('unreachable')],
  ['a node that gave up waiting', chain('timeout')],
  ['a node in trouble', chain('node')],
  ['an unreadable answer', chain('malformed')],
  ['too many requests', chain('http', 429)],
  ['a bad gateway', chain('http', 502)],
])('asks again after %s', async (_, error) => {
  const ask = vi.fn().mockRejectedValueOnce(error).mockResolvedValueOnce('answer');
  expect(await retrying(ask, unanswered())).toBe('answer');
});

it('gives up after three tries', async () => {
  const ask = vi.fn().mockRejectedValue(chain('unreachable'));
  await expect(retrying(ask, unanswered())).rejects.toMatchObject({ details: { kind: 'unreachable' } });
  expect(ask).toHaveBeenCalledTimes(3);
});

it.each([
  ['a refused prompt', new LatchkeyError(CANCELLED)],
  ['a prompt that timed out', new LatchkeyError(CANCELLED, { details: { timedOut: true } })],
  ['a passkey that is there already', new LatchkeyError(PASSKEY_EXISTS)],
  ['a refusal by the contract', chain('contract')],
  ['an account that is unknown', chain('unknown_account')],
  ['a request that no node will take', chain('http', 400)],
  ['a bug', new TypeError('undefined is not a function')],
])('never asks again after %s', async (_, error) => {
  const ask = vi.fn().mockRejectedValue(error);
  await expect(retrying(ask, unanswered())).rejects.toBe(error);
  expect(ask).toHaveBeenCalledTimes(1);
});

it('ends immediately, and stops asking, when the flow ends while it waits', async () => {
  const host = new AbortController();
  const ask = vi.fn().mockRejectedValue(chain('unreachable'));
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const asked = retrying(ask, host.signal);
  await vi.advanceTimersByTimeAsync(5);
  const reason = new LatchkeyError(CANCELLED);
  host.abort(reason);
  // The clock is paused from here on: anything that still waited would never end.
  await expect(asked).rejects.toBe(reason);
  expect(ask).toHaveBeenCalledTimes(1);
});

it('reads the block of a challenge three times, 150 and 300 ms apart, and then says that the refresh failed', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const began = Date.now();
  const at: number[] = [];
  const read = async (): Promise<never> => {
    at.push(Date.now() - began);
    throw chain('unreachable');
  };
  const failed = refreshed(read, unanswered()).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await failed).toMatchObject({ code: 'VRF_REFRESH_FAILED', cause: { code: 'NEAR_RPC_FAILED' } });
  expect(at).toEqual([0, 150, 450]);
});
