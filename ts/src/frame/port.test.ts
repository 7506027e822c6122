/** Requests over the port: cancelling, errors, and messages out of turn. */
import { describe, expect, it, vi } from 'vitest';
import { LatchkeyError, LOGIN_CANCELLED, TRANSACTION_FAILED } from '../errors/core.js';
import type { ActionResult } from '../types.js';
import { createPortClient } from './host/port-client.js';
import type { Progress } from './protocol/index.js';
import { CASES } from './testing/cases.js';
import {
  ACTION,
  CANCELLED_REPORT,
  connected,
  LOGIN,
  type LoginArgs,
  never,
  opened,
  raw,
  throwing,
  untilAborted,
} from './testing/ports.js';

const cancelledResult: ActionResult = {
  success: false,
  error: 'Operation was cancelled.',
  errorCode: 'CANCELLED',
  fate: 'unknown',
  transactionId: 'hash',
  result: null,
};

describe('Cancelling (frame 7, frame 8)', () => {
  it('reports the cancel to the request, then ends it with CANCELLED and the outcome that the flow reports', async () => {
    const { ask, answersTo } = raw({ executeAction: untilAborted(() => cancelledResult) });
    const action = ask('PM_EXECUTE_ACTION', ACTION);
    const cancel = ask('PM_CANCEL', { requestId: action });
    expect(await answersTo(action)).toMatchObject([
      CANCELLED_REPORT,
      { type: 'ERROR', payload: { code: 'CANCELLED', details: { result: cancelledResult } } },
    ]);
    expect(await answersTo(cancel)).toEqual([{ type: 'PONG', requestId: cancel }]);
  });

  it('without a request id ends every running request', async () => {
    const { ask, answersTo } = raw({
      executeAction: untilAborted(() => cancelledResult),
      getLinkedDevices: never,
    });
    const asked = [
      ask('PM_EXECUTE_ACTION', ACTION),
      ask('PM_GET_LINKED_DEVICES', { accountId: 'a.testnet' }),
    ];
    ask('PM_CANCEL');
    for (const id of asked) {
      expect(await answersTo(id)).toMatchObject([
        CANCELLED_REPORT,
        { type: 'ERROR', payload: { code: 'CANCELLED' } },
      ]);
    }
  });

  it('ends a flow that does not answer the cancelling', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { ask, answersTo } = raw({ executeAction: never });
    const action = ask('PM_EXECUTE_ACTION', ACTION);
    ask('PM_CANCEL', { requestId: action });
    expect(await answersTo(action)).toHaveLength(1);
    vi.runAllTimers();
    expect(await answersTo(action)).toMatchObject([CANCELLED_REPORT, { payload: { code: 'CANCELLED' } }]);
  });

  it('that comes too late does not hide a success', async () => {
    const { ask, answersTo } = raw({ executeAction: untilAborted(() => CASES.PM_EXECUTE_ACTION.gives) });
    const action = ask('PM_EXECUTE_ACTION', ACTION);
    ask('PM_CANCEL', { requestId: action });
    expect(await answersTo(action)).toMatchObject([
      CANCELLED_REPORT,
      { type: 'PM_RESULT', payload: { ok: true } },
    ]);
  });

  it('an ended request changes nothing, and cancelling an unknown one is refused', async () => {
    const { ask, answersTo } = raw({ hasPasskeyCredential: async () => true });
    const ended = ask('PM_HAS_PASSKEY', { nearAccountId: 'a.testnet' });
    await answersTo(ended);
    const late = ask('PM_CANCEL', { requestId: ended });
    const unknown = ask('PM_CANCEL', { requestId: '1700000000000-999999' });
    expect(await answersTo(late)).toEqual([{ type: 'PONG', requestId: late }]);
    expect(await answersTo(ended)).toHaveLength(1);
    expect(await answersTo(unknown)).toMatchObject([
      { type: 'ERROR', payload: { code: 'INVALID_MESSAGE', details: { field: 'payload.requestId' } } },
    ]);
  });

  it('by the signal of a request resolves with the flow’s own outcome, as on the same origin', async () => {
    const { client, asked } = connected({ executeAction: untilAborted(() => cancelledResult) });
    const ending = new AbortController();
    const result = client.request('PM_EXECUTE_ACTION', ACTION, { signal: ending.signal });
    ending.abort();
    expect(await result).toEqual(cancelledResult);
    expect(asked.map(({ type }) => type)).toEqual(['PM_EXECUTE_ACTION', 'PM_CANCEL']);
  });

  it('by an already aborted signal sends nothing', async () => {
    const { client, asked, settled } = connected({});
    const request = client.request('PM_LOGIN', LOGIN, { signal: AbortSignal.abort() });
    await expect(request).rejects.toMatchObject({ code: 'CANCELLED' });
    await settled();
    expect(asked.map(({ type }) => type)).toEqual(['PING', 'PING']);
  });

  it('every request of the client rejects each one without its own result', async () => {
    const { client } = connected({
      getLinkedDevices: never,
      loginPasskey: untilAborted(() => Promise.reject(new LatchkeyError(LOGIN_CANCELLED))),
    });
    const requests = [
      client.request('PM_GET_LINKED_DEVICES', { accountId: 'a.testnet' }),
      client.request('PM_LOGIN', LOGIN),
    ];
    const ends = Promise.allSettled(requests);
    await client.cancelAll();
    expect((await ends).map((end) => (end as PromiseRejectedResult).reason.code)).toEqual([
      'CANCELLED',
      'CANCELLED',
    ]);
  });
});

describe('Errors (frame 8)', () => {
  const asked = (error: unknown) =>
    connected({
      getLinkedDevices: throwing(error),
      setConfirmBehavior: throwing(error),
      recoverAccountFlow: throwing(error),
    });

  it('keep code, message and details, and leave their cause in the wallet', async () => {
    const error = new LatchkeyError(TRANSACTION_FAILED, {
      values: { reason: 'no gas' },
      details: { transactionId: 'h', fate: 'failed', prf: 'PLANTED', outcome: { secret: 'PLANTED' } },
      cause: new Error('PLANTED'),
    });
    const { client, said } = asked(error);
    const told = await client.request('PM_GET_LINKED_DEVICES', { accountId: 'a' }).catch((reason) => reason);
    expect(told).toBeInstanceOf(LatchkeyError);
    expect(told).toMatchObject({
      code: 'TRANSACTION_FAILED',
      message: error.message,
      details: { transactionId: 'h', fate: 'failed' },
    });
    expect(told.cause).toBeUndefined();
    expect(JSON.stringify(said)).not.toContain('PLANTED');
  });

  it.each([
    ['PM_GET_LINKED_DEVICES', { accountId: 'a' }, 'HOST_ERROR', 'Wallet error'],
    [
      'PM_SET_CONFIRM_BEHAVIOR',
      { behavior: 'autoProceed' },
      'SET_CONFIRM_BEHAVIOR_FAILED',
      'The confirmation behavior could not be set. Try again.',
    ],
    ['PM_RECOVER_ACCOUNT_FLOW', {}, 'RECOVERY_FAILED', 'Recovery failed: Wallet error'],
  ] as const)(
    'from outside the catalogue are reported by %s without their own text',
    async (type, payload, code, message) => {
      const { client, said } = asked(new TypeError('PLANTED'));
      await expect(client.request(type, payload as never)).rejects.toMatchObject({ code, message });
      expect(JSON.stringify(said)).not.toContain('PLANTED');
    },
  );

  it('of a frame that has no network say so, such as of a part that did not load', async () => {
    vi.stubGlobal('navigator', { onLine: false });
    const { client } = asked(new TypeError('Failed to fetch dynamically imported module'));
    const told = client.request('PM_GET_LINKED_DEVICES', { accountId: 'a' });
    await expect(told.finally(() => vi.unstubAllGlobals())).rejects.toMatchObject({ code: 'OFFLINE' });
  });

  it('about an invalid result name the field and not its value', async () => {
    const { client, said } = connected({
      getRecentLogins: async () => ({ accountIds: 'PLANTED', lastUsedAccountId: null }),
    });
    await expect(client.request('PM_GET_RECENT_LOGINS', undefined)).rejects.toMatchObject({
      code: 'INVALID_MESSAGE',
      details: { field: 'result.accountIds' },
    });
    expect(JSON.stringify(said)).not.toContain('PLANTED');
  });
});

describe('A message out of turn (frame 4, frame 7, frame 8)', () => {
  it('under a used id is refused, and the first request alone gets its answer', async () => {
    let answer: (has: boolean) => void = () => undefined;
    const { ask, post, answersTo, said } = raw({
      hasPasskeyCredential: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const id = ask('PM_HAS_PASSKEY', { nearAccountId: 'a.testnet' });
    post({ type: 'PM_LOGOUT', requestId: id });
    post({ type: 'PM_LOGOUT', requestId: '1-0' });
    expect(await answersTo(id)).toEqual([]);
    expect(said.filter(({ type }) => type === 'ERROR')).toMatchObject([
      { payload: { code: 'INVALID_MESSAGE', details: { field: 'requestId' } } },
      { payload: { code: 'INVALID_MESSAGE', details: { field: 'requestId' } } },
    ]);
    answer(true);
    expect(await answersTo(id)).toEqual([
      { type: 'PM_RESULT', requestId: id, payload: { ok: true, result: true } },
    ]);
  });

  it('from the wallet reaches no request', async () => {
    const { port1, port2 } = new MessageChannel();
    const client = createPortClient(port1, { requestTimeoutMs: 60_000 });
    opened({ close: () => port2.close() });
    const reports: Progress[] = [];
    port2.addEventListener('message', ({ data: { requestId } }) => {
      const result = (result: unknown, id = requestId) =>
        port2.postMessage({ type: 'PM_RESULT', requestId: id, payload: { ok: true, result } });
      const progress = () =>
        port2.postMessage({
          type: 'PROGRESS',
          requestId,
          payload: { step: 1, phase: 'p', status: 'progress' },
        });
      result(false, '1-99');
      port2.postMessage({ type: 'PONG', requestId });
      port2.postMessage('nonsense');
      port2.postMessage({ type: 'WALLET_UI_CLOSED', requestId, payload: { ok: true, result: false } });
      progress();
      result(true);
      result(false);
      progress();
      port2.postMessage({ type: 'ERROR', requestId, payload: { code: 'HOST_ERROR', message: 'late' } });
    });
    port2.start();
    const has = client.request(
      'PM_HAS_PASSKEY',
      { nearAccountId: 'a' },
      { onProgress: (one) => reports.push(one) },
    );
    expect(await has).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reports).toHaveLength(1);
  });

  it('of another version ends the request with INVALID_MESSAGE', async () => {
    const { port1, port2 } = new MessageChannel();
    const client = createPortClient(port1, { requestTimeoutMs: 60_000 });
    opened({ close: () => port2.close() });
    port2.addEventListener('message', ({ data: { requestId } }) =>
      port2.postMessage({ type: 'PM_RESULT', requestId, payload: { ok: true, result: { accounts: [] } } }),
    );
    port2.start();
    await expect(client.request('PM_GET_RECENT_LOGINS', undefined)).rejects.toMatchObject({
      code: 'INVALID_MESSAGE',
      details: { field: 'result.accountIds' },
    });
  });
});

describe('A closed wallet end', () => {
  it('ends running requests and no longer answers', async () => {
    const signals: AbortSignal[] = [];
    const host = raw({
      loginPasskey: (...[, { signal }]: LoginArgs) => {
        if (signal) signals.push(signal);
        return never();
      },
    });
    host.ask('PM_LOGIN', LOGIN);
    await host.answersTo(undefined);
    const before = host.said.length;
    host.close();
    host.ask('PING');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(host.said).toHaveLength(before);
  });
});
