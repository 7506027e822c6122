import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_CONFIRMATION } from '../config.js';
import {
  ANOTHER_PASSKEY,
  CANCELLED,
  LatchkeyError,
  NEAR_RPC_FAILED,
  NO_CONFIRMER,
  PAGE_NOT_FOCUSED,
  PRF_MISSING,
  REQUEST_PENDING,
  USER_NOT_VERIFIED,
  VRF_BOOTSTRAP_FAILED,
  VRF_CHALLENGE_FAILED,
  VRF_REFRESH_FAILED,
  WEBAUTHN_FAILED,
  WORKER_TIMEOUT,
} from '../errors/account.js';
import type { ConfirmationConfig } from '../types.js';
import { Confirmation, retryReason, retryText, type Shown } from './confirmation.js';
import type { Confirmer, ConfirmModel, Decision, RetryReason } from './port.js';

const shown: Shown = {
  kind: 'transactions',
  accountId: 'alice.testnet',
  rpId: 'localhost',
  networkId: 'testnet',
  digest: 'd',
  transactions: [],
};
const byClick: ConfirmationConfig = { ...DEFAULT_CONFIRMATION, behavior: 'requireClick' };
const never = new AbortController().signal;
const workerTimeout = new LatchkeyError(WORKER_TIMEOUT, { values: { ms: 60_000 } });

function confirmer(...decisions: (Decision | Promise<Decision>)[]) {
  const models: ConfirmModel[] = [];
  const signals: AbortSignal[] = [];
  const port: Confirmer = {
    show: async (model, signal) => {
      models.push(model);
      signals.push(signal);
      return decisions[models.length - 1] ?? 'cancel';
    },
  };
  return { port, models, signals };
}

describe('a confirmation (core 4, core 7, core 8)', () => {
  it('proceeds after the click, and stays on screen until it is closed', async () => {
    const { port, models, signals } = confirmer('confirm');
    const confirmation = new Confirmation(port, byClick, never);
    expect(await confirmation.approve(shown, async () => 'asked')).toBe('asked');
    expect(models).toEqual([
      { ...shown, uiMode: 'modal', behavior: 'requireClick', autoProceedDelayMs: 0, theme: 'dark' },
    ]);
    expect(signals[0]?.aborted).toBe(false);
    confirmation.close();
    expect(signals[0]?.aborted).toBe(true);
  });

  it('does nothing after a cancel', async () => {
    const attempt = vi.fn();
    const confirmation = new Confirmation(confirmer('cancel').port, byClick, never);
    await expect(confirmation.approve(shown, attempt)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(attempt).not.toHaveBeenCalled();
  });

  it.each([
    ['registration', 'User cancelled registration'],
    ['transactions', undefined],
  ])('names a cancelled %s as its cause', async (kind, cause) => {
    const confirmation = new Confirmation(confirmer('cancel').port, byClick, never);
    const end = await confirmation.approve({ ...shown, kind } as Shown, vi.fn()).catch((error) => error);
    expect(end).toMatchObject({ code: 'CANCELLED' });
    expect((end as Error & { cause?: Error }).cause?.message).toBe(cause);
  });

  it('is not shown after the host has ended the flow', async () => {
    const { port, models } = confirmer('confirm');
    const ended = new Confirmation(port, byClick, AbortSignal.abort());
    await expect(ended.approve(shown, vi.fn())).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(models).toEqual([]);
  });

  it('offers another try after a refused prompt, and never retries by itself', async () => {
    const { port, models } = confirmer('confirm', 'confirm');
    const attempt = vi
      .fn()
      .mockRejectedValueOnce(new LatchkeyError(CANCELLED))
      .mockResolvedValueOnce('asked');
    const automatic = { ...DEFAULT_CONFIRMATION, behavior: 'autoProceed' as const };
    expect(await new Confirmation(port, automatic, never).approve(shown, attempt)).toBe('asked');
    expect(models[1]).toMatchObject({ behavior: 'requireClick', retry: 'cancelled' });
    expect(models[1]?.error).toContain('Operation was cancelled');
  });

  it.each([
    ['in general', workerTimeout],
    ['at the challenge', new LatchkeyError(VRF_CHALLENGE_FAILED, { cause: workerTimeout })],
    ['at the bootstrap key', new LatchkeyError(VRF_BOOTSTRAP_FAILED, { cause: workerTimeout })],
  ])("names a worker's timeout as the modal does: %s", async (_, error) => {
    const { port, models } = confirmer('confirm', 'cancel');
    const attempt = vi.fn().mockRejectedValue(error);
    await expect(new Confirmation(port, byClick, never).approve(shown, attempt)).rejects.toThrow();
    expect(models[1]).toMatchObject({ retry: 'timeout', error: 'Timed out after 60s, try again' });
  });

  it('offers another try when the block of the challenge could not be read', async () => {
    const { port, models } = confirmer('confirm', 'cancel');
    const attempt = vi.fn().mockRejectedValue(new LatchkeyError(VRF_REFRESH_FAILED));
    await expect(new Confirmation(port, byClick, never).approve(shown, attempt)).rejects.toThrow();
    expect(models[1]).toMatchObject({ retry: 'failed', error: 'VRF refresh failed' });
  });

  it.each<[string, LatchkeyError, RetryReason | undefined]>([
    ['a cancelled prompt', new LatchkeyError(CANCELLED), 'cancelled'],
    [
      'a prompt that ran out of time',
      new LatchkeyError(CANCELLED, { details: { timedOut: true } }),
      'timeout',
    ],
    ['a page without the focus', new LatchkeyError(PAGE_NOT_FOCUSED), 'focus'],
    ['another prompt', new LatchkeyError(REQUEST_PENDING), 'pending'],
    ['a node', new LatchkeyError(NEAR_RPC_FAILED), 'failed'],
    ['a browser', new LatchkeyError(WEBAUTHN_FAILED), 'failed'],
    ["another account's passkey", new LatchkeyError(ANOTHER_PASSKEY), 'failed'],
    ['a missing output', new LatchkeyError(PRF_MISSING, { details: { again: true } }), 'failed'],
    ['a missing output for good', new LatchkeyError(PRF_MISSING), undefined],
    ['an unverified user', new LatchkeyError(USER_NOT_VERIFIED, { details: { again: true } }), 'unverified'],
    ['an unverified user for good', new LatchkeyError(USER_NOT_VERIFIED), undefined],
    ['a timeout', workerTimeout, 'timeout'],
    ['a challenge', new LatchkeyError(VRF_CHALLENGE_FAILED), undefined],
    ['anything else', new LatchkeyError(NO_CONFIRMER), undefined],
  ])('offers another try or none after the failure of %s', (_, error, reason) => {
    expect(retryReason(error)).toBe(reason);
  });

  it.each([PRF_MISSING, VRF_CHALLENGE_FAILED])(
    'passes on an error that another try cannot fix: $code',
    async (text) => {
      const { port, models } = confirmer('confirm', 'confirm');
      const attempt = vi.fn().mockRejectedValue(new LatchkeyError(text));
      await expect(new Confirmation(port, byClick, never).approve(shown, attempt)).rejects.toMatchObject({
        code: text.code,
      });
      expect(models).toHaveLength(1);
    },
  );

  it('ends when the confirmer keeps confirming by itself', async () => {
    const attempt = vi.fn().mockRejectedValue(new LatchkeyError(CANCELLED));
    const clicking: Confirmer = { show: async () => 'confirm' };
    await expect(new Confirmation(clicking, byClick, never).approve(shown, attempt)).rejects.toThrow();
    expect(attempt).toHaveBeenCalledTimes(10);
  });

  it('proceeds by itself after the delay', async () => {
    vi.useFakeTimers();
    const { port } = confirmer(new Promise<Decision>(() => undefined));
    const attempt = vi.fn().mockResolvedValue('asked');
    const confirmation = new Confirmation(port, { ...DEFAULT_CONFIRMATION, autoProceedDelayMs: 500 }, never);
    const done = confirmation.approve(shown, attempt);
    await vi.advanceTimersByTimeAsync(499);
    expect(attempt).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await done).toBe('asked');
    vi.useRealTimers();
  });

  it('can be cancelled during the delay', async () => {
    const confirmation = new Confirmation(
      confirmer('cancel').port,
      { ...DEFAULT_CONFIRMATION, autoProceedDelayMs: 10_000 },
      never,
    );
    await expect(confirmation.approve(shown, async () => 'asked')).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('gives the user five minutes', async () => {
    vi.useFakeTimers();
    const { port } = confirmer(new Promise<Decision>(() => undefined));
    const rejected = expect(
      new Confirmation(port, byClick, never).approve(shown, async () => 1),
    ).rejects.toMatchObject({
      code: 'MODAL_TIMEOUT',
      message: 'Timed out after 300s, try again',
    });
    await vi.advanceTimersByTimeAsync(300_000);
    await rejected;
    vi.useRealTimers();
  });

  it('ends, and leaves nothing waiting, when the confirmer fails', async () => {
    vi.useFakeTimers();
    const { port } = confirmer(Promise.reject(new Error('it could not draw')));
    await expect(new Confirmation(port, byClick, never).approve(shown, async () => 1)).rejects.toThrow(
      'it could not draw',
    );
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it("leaves no listener on the host's signal", async () => {
    const { signal } = new AbortController();
    await new Confirmation(confirmer('confirm').port, byClick, signal).approve(shown, async () => 1);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends when the host ends the flow', async () => {
    const host = new AbortController();
    const { port, signals } = confirmer(new Promise<Decision>(() => undefined));
    const confirmation = new Confirmation(port, byClick, host.signal);
    const rejected = expect(confirmation.approve(shown, async () => 1)).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    await Promise.resolve();
    host.abort();
    await rejected;
    expect(signals[0]?.aborted).toBe(true);
  });

  it('shows nothing in skip mode, and does not retry there', async () => {
    const { port, models } = confirmer();
    const attempt = vi.fn().mockRejectedValue(new LatchkeyError(CANCELLED));
    const confirmation = new Confirmation(port, { ...DEFAULT_CONFIRMATION, uiMode: 'skip' }, never);
    await expect(confirmation.approve(shown, attempt)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect([models.length, attempt.mock.calls.length]).toEqual([0, 1]);
  });

  it("is in the confirmer's words, and in those of the error where it has none", async () => {
    const error = new LatchkeyError(WEBAUTHN_FAILED);
    expect(await retryText(error, { errorText: async ({ code }) => `about ${code}` })).toBe(
      'about WEBAUTHN_FAILED',
    );
    expect(await retryText(error, { errorText: () => Promise.reject(new Error('no text')) })).toBe(
      error.message,
    );
    expect(await retryText(error, {})).toBe(error.message);
    expect(await retryText(error, null)).toBe(error.message);
  });

  it('says what to do when no confirmer is connected', () => {
    expect(() => new Confirmation(null, byClick, never)).toThrow(/latchkey-react brings one/);
    expect(() => new Confirmation(null, { ...byClick, uiMode: 'skip' }, never)).not.toThrow();
  });
});
