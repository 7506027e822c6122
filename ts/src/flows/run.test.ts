import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  LatchkeyError,
  NEAR_RPC_FAILED,
  NOT_LOGGED_IN,
  RELAY_UNREACHABLE,
  UNKNOWN,
} from '../errors/wallet.js';
import type { FlowName } from '../events.js';
import type { ExecutionWait } from '../types.js';
import { prfMissing } from '../webauthn/prf.js';
import type { Waits } from './check-wait.js';
import { type Run, runFlow } from './run.js';

const reportError = vi.fn();
const asResult = (error: LatchkeyError) => ({ code: error.code, message: error.message });
const failing = (flow: FlowName, thrown: unknown, options = {}) =>
  runFlow<FlowName, unknown>(flow, options, () => Promise.reject(thrown), asResult);

beforeEach(() => {
  reportError.mockReset();
  vi.stubGlobal('reportError', reportError);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a flow (core 4, core 8)', () => {
  it.each([
    ['an error of its own', new Error('the host changed its mind')],
    ['a time limit', new DOMException('too late', 'TimeoutError')],
    ['no reason', undefined],
  ])('is cancelled when the host ends it with %s', async (_, reason) => {
    const host = new AbortController();
    const waiting = runFlow(
      'action',
      { signal: host.signal },
      ({ signal }: Run<'action'>) =>
        new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      asResult,
    );
    await Promise.resolve();
    host.abort(reason);
    expect(await waiting).toMatchObject({ code: 'CANCELLED' });
  });

  it.each([
    ['registration', 'REGISTRATION_CANCELLED'],
    ['login', 'LOGIN_CANCELLED'],
    ['action', 'CANCELLED'],
  ] as const)('that ends before its first step reports the code of its kind: %s', async (flow, code) => {
    const body = vi.fn();
    const options = { signal: AbortSignal.abort('not now') };
    expect(await runFlow<FlowName, unknown>(flow, options, body, asResult)).toMatchObject({ code });
    expect(body).not.toHaveBeenCalled();
  });

  it.each<[Waits, string]>([
    [
      { waitUntil: 'final' as 'FINAL' },
      'waitUntil must be NONE or INCLUDED or INCLUDED_FINAL or EXECUTED or ',
    ],
    [
      { executionWait: { mode: 'parallel' as 'sequential' } },
      'executionWait.mode must be sequential or parallelStaggered',
    ],
    [{ executionWait: {} as ExecutionWait }, 'executionWait.mode must be sequential or parallelStaggered'],
    [
      { executionWait: { mode: 'sequential', waitUntil: 'toString' as 'NONE' } },
      'executionWait.waitUntil must be NONE or ',
    ],
  ])('refuses a wait that no node knows, before it begins: %o', async (options, problem) => {
    const body = vi.fn();
    const beforeCall = vi.fn();
    const outcome = await runFlow<FlowName, unknown>('action', { ...options, beforeCall }, body, asResult);
    expect(outcome).toEqual({ code: 'INVALID_CONFIG', message: expect.stringContaining(problem) });
    expect(body).not.toHaveBeenCalled();
    expect(beforeCall).not.toHaveBeenCalled();
  });

  it('names itself in the error when PRF outputs are missing', async () => {
    expect(await failing('login', prfMissing('PRF result too weak: first'))).toMatchObject({
      message: expect.stringMatching(/^Login failed because the browser did not return/),
    });
    expect(await failing('registration', prfMissing())).toMatchObject({
      message: expect.stringMatching(/^Registration failed because/),
    });
  });

  it('says in one sentence that the device is offline, and never so of what was sent', async () => {
    vi.stubGlobal('navigator', { onLine: false });
    const codeOf = async (error: unknown) => ((await failing('action', error)) as { code: string }).code;
    for (const text of [NEAR_RPC_FAILED, RELAY_UNREACHABLE, UNKNOWN]) {
      expect(await failing('action', new LatchkeyError(text))).toEqual({
        code: 'OFFLINE',
        message: 'This device is offline. Your keys and your money are safe. Connect, then try again.',
      });
    }
    expect(await codeOf(new TypeError('Failed to fetch dynamically imported module'))).toBe('OFFLINE');
    const sent = { details: { fate: 'unknown', transactionId: 'tx' } };
    expect(await codeOf(new LatchkeyError(NEAR_RPC_FAILED, sent))).toBe('NEAR_RPC_FAILED');
    const lost = { details: { kind: 'outcome_unknown' } };
    expect(await codeOf(new LatchkeyError(NEAR_RPC_FAILED, lost))).toBe('NEAR_RPC_FAILED');
    expect(await codeOf(new LatchkeyError(NOT_LOGGED_IN))).toBe('NOT_LOGGED_IN');
    vi.stubGlobal('navigator', { onLine: true });
    expect(await codeOf(new LatchkeyError(NEAR_RPC_FAILED))).toBe('NEAR_RPC_FAILED');
  });

  it('succeeds or fails as before when a listener or a callback throws', async () => {
    const broken = (): never => {
      throw new Error('a bug of the host');
    };
    const options = { onEvent: broken, onError: broken, afterCall: broken };
    const body = async ({ emit }: Run<'action'>) => {
      emit('broadcasting', 'success', 'The chain took it');
      return 'sent';
    };
    expect(await runFlow<'action', unknown>('action', options, body, asResult)).toBe('sent');
    expect(reportError).toHaveBeenCalledTimes(2);
    expect(await failing('action', new LatchkeyError(NOT_LOGGED_IN), options)).toMatchObject({
      code: 'NOT_LOGGED_IN',
    });
    expect(reportError).toHaveBeenCalledTimes(4);
  });

  it("removes its listener from the host's signal", async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, 'removeEventListener');
    await runFlow<'action', unknown>('action', { signal }, async () => 'done', asResult);
    expect(removed).toHaveBeenCalledTimes(1);
  });
});
