// Specification: core 9
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  CRYPTO_FAILED,
  LatchkeyError,
  WORKER_CLOSED,
  WORKER_FAILED,
  WORKER_TIMEOUT,
} from '../errors/wallet.js';
import { startAgain } from './start-again.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const notLoaded = () => new LatchkeyError(WORKER_FAILED, { values: { reason: 'its script did not load' } });

it('starts a worker again whose files did not load, a second later', async () => {
  const start = vi.fn().mockRejectedValueOnce(notLoaded()).mockResolvedValueOnce('worker');
  const started = startAgain(start);
  await vi.advanceTimersByTimeAsync(999);
  expect(start).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await started).toBe('worker');
});

it('gives up after three more tries', async () => {
  const start = vi.fn().mockImplementation(() => Promise.reject(notLoaded()));
  const failed = expect(startAgain(start)).rejects.toMatchObject({ code: 'WORKER_FAILED' });
  await vi.advanceTimersByTimeAsync(10_000);
  await failed;
  expect(start).toHaveBeenCalledTimes(4);
});

it.each([WORKER_CLOSED, WORKER_TIMEOUT, CRYPTO_FAILED])('does not retry after $code', async (text) => {
  const start = vi.fn().mockRejectedValue(new LatchkeyError(text));
  await expect(startAgain(start)).rejects.toMatchObject({ code: text.code });
  expect(start).toHaveBeenCalledTimes(1);
});
