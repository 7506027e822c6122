// Specification: core 4
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { resolveConfig } from '../config.js';
import type { Confirmer, WaitingModel } from '../confirm/port.js';
import { CANCELLED, LatchkeyError, NEAR_RPC_FAILED } from '../errors/core.js';
import { beforeAsking } from './before-asking.js';
import type { FlowContext } from './context.js';

const PATIENCE_MS = 1_500;
const never = new Promise<never>(() => undefined);
const open = new AbortController().signal;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function deferred<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A wallet whose confirmer shows waits until `cancel` is called. */
function make({ wait = true } = {}) {
  const shown: { readonly model: WaitingModel; readonly signal: AbortSignal }[] = [];
  const canceled = deferred<void>();
  const confirmer: Confirmer = {
    show: () => expect.unreachable('nothing is confirmed here'),
    ...(wait && {
      wait: (model: WaitingModel, signal: AbortSignal) => {
        shown.push({ model, signal });
        return canceled.promise;
      },
    }),
  };
  const context = {
    config: resolveConfig({ relayer: { url: 'http://localhost:9' }, confirmationConfig: { theme: 'light' } }),
    store: { lastUser: async () => undefined, users: async () => [], pageSettings: async () => ({}) },
    vrf: { call: async () => ({ active: false, accountId: null }) },
    page: 'http://localhost',
    confirmer: () => confirmer,
  } as unknown as FlowContext;
  return { context, shown, cancel: () => canceled.resolve() };
}

it('shows nothing for a chain that answers', async () => {
  const { context, shown } = make();
  expect(await beforeAsking(context, open, Promise.resolve('nonce'))).toBe('nonce');
  const failure = new LatchkeyError(NEAR_RPC_FAILED);
  await expect(beforeAsking(context, open, Promise.reject(failure))).rejects.toBe(failure);
  await vi.advanceTimersByTimeAsync(2 * PATIENCE_MS);
  expect(shown).toEqual([]);
});

it('shows what it waits for when the chain does not answer, and ends that with the answer', async () => {
  const { context, shown } = make();
  const { promise, resolve } = deferred<string>();
  const reading = beforeAsking(context, open, promise);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1);
  expect(shown).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(shown.map(({ model, signal }) => [model, signal.aborted])).toEqual([
    [{ networkId: 'testnet', theme: 'light' }, false],
  ]);
  resolve('nonce');
  expect(await reading).toBe('nonce');
  expect(shown[0]?.signal.aborted).toBe(true);
});

it('is cancelled by the user, although the chain never answers', async () => {
  const { context, cancel } = make();
  const reading = beforeAsking(context, open, never);
  const ended = expect(reading).rejects.toMatchObject({ code: 'CANCELLED' });
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  cancel();
  await ended;
});

it('is cancelled by its host before and after the wait is shown', async () => {
  const { context, shown } = make();
  const host = new AbortController();
  const reading = beforeAsking(context, host.signal, never);
  const ended = expect(reading).rejects.toMatchObject({ code: 'CANCELLED' });
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  host.abort(new LatchkeyError(CANCELLED));
  await ended;
  expect(shown[0]?.signal.aborted).toBe(true);
  await expect(beforeAsking(context, host.signal, never)).rejects.toMatchObject({ code: 'CANCELLED' });
});

it('waits unseen where the wait cannot be shown', async () => {
  const { context } = make();
  const warn = vi.spyOn(context.config.logger, 'warn').mockImplementation(() => undefined);
  context.confirmer = () => {
    throw new Error('no UI');
  };
  const { promise, resolve } = deferred<string>();
  const reading = beforeAsking(context, open, promise);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(warn).toHaveBeenCalledOnce();
  resolve('nonce');
  expect(await reading).toBe('nonce');
});

it('reports the wait once it is shown, and never after the answer', async () => {
  const { context } = make();
  const { promise, resolve } = deferred<string>();
  const reported = vi.fn();
  const reading = beforeAsking(context, open, promise, reported);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1);
  expect(reported).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(reported).toHaveBeenCalledOnce();
  resolve('nonce');
  await reading;

  const late = deferred<typeof settings>();
  const settings = {};
  context.store.pageSettings = () => late.promise;
  const second = deferred<string>();
  const again = beforeAsking(context, open, second.promise, reported);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  second.resolve('nonce');
  await again;
  late.resolve(settings);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(reported).toHaveBeenCalledOnce();
});

it('waits unseen where the confirmer draws no waits', async () => {
  const { context } = make({ wait: false });
  const { promise, resolve } = deferred<string>();
  const reading = beforeAsking(context, open, promise);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  resolve('nonce');
  expect(await reading).toBe('nonce');
});
