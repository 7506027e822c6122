/** How requests run over the port: cancelling, reports, errors, timeouts, limits, and what comes out of turn. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError } from '../errors/linking.js';
import type { Wallet } from '../flows/wallet.js';
import type { ActionResult, ExportKeypairResult } from '../types.js';
import { MAX_DEPTH, MAX_REQUEST_SIZE, MAX_VALUES } from './plain.js';
import type { Progress } from './protocol/index.js';
import { CASES, loginState } from './testing/cases.js';
import { type Answers, connect, rawHost } from './testing/recording-wallet.js';
import { MAX_RUNNING } from './wallet/serve-port.js';

const open: { close(): void }[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const one of open.splice(0)) one.close();
});
function opened<T extends { close(): void }>(both: T): T {
  open.push(both);
  return both;
}
const connected = (answers: Answers, requestTimeoutMs?: number) =>
  opened(connect(answers, requestTimeoutMs === undefined ? {} : { requestTimeoutMs }));
const raw = (answers: Answers) => opened(rawHost(answers));

type LoginArgs = Parameters<Wallet['loginPasskey']>;
type ActionArgs = Parameters<Wallet['executeAction']>;
const LOGIN = CASES.PM_LOGIN.payload;
const ACTION = CASES.PM_EXECUTE_ACTION.payload;

/** A flow that ends when it is cancelled, with this result or error. */
const untilAborted =
  (end: () => unknown) =>
  async (...args: unknown[]) => {
    const { signal } = optionsOf(args);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return end();
  };
function optionsOf(args: readonly unknown[]): { signal: AbortSignal; onEvent: (event: Progress) => void } {
  const last = args.at(-1) as { options?: unknown };
  return (last.options ?? last) as { signal: AbortSignal; onEvent: (event: Progress) => void };
}
const never = () => new Promise<never>(() => undefined);
const throwing = (error: unknown) => async () => {
  throw error;
};
const cancelledResult: ActionResult = {
  success: false,
  error: 'Operation was cancelled.',
  errorCode: 'CANCELLED',
  fate: 'unknown',
  transactionId: 'hash',
  result: null,
};
const CANCELLED_REPORT = { type: 'PROGRESS', payload: { step: 0, phase: 'cancelled', status: 'error' } };

describe('Cancelling', () => {
  it('reports it to the request, then ends it with CANCELLED and what the flow says became of it', async () => {
    const { ask, answersTo } = raw({ executeAction: untilAborted(() => cancelledResult) });
    const action = ask('PM_EXECUTE_ACTION', ACTION);
    const cancel = ask('PM_CANCEL', { requestId: action });
    expect(await answersTo(action)).toMatchObject([
      CANCELLED_REPORT,
      { type: 'ERROR', payload: { code: 'CANCELLED', details: { result: cancelledResult } } },
    ]);
    expect(await answersTo(cancel)).toEqual([{ type: 'PONG', requestId: cancel }]);
  });

  it('ends every running request when it names none', async () => {
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

  it('of a request that has ended changes nothing, and of one that never was is refused', async () => {
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

  it('by the signal of a request resolves with what the flow says itself, as in the same origin', async () => {
    const { client, asked } = connected({ executeAction: untilAborted(() => cancelledResult) });
    const ending = new AbortController();
    const result = client.request('PM_EXECUTE_ACTION', ACTION, { signal: ending.signal });
    ending.abort();
    expect(await result).toEqual(cancelledResult);
    expect(asked.map(({ type }) => type)).toEqual(['PM_EXECUTE_ACTION', 'PM_CANCEL']);
  });

  it('by a signal that has aborted already sends nothing', async () => {
    const { client, asked, settled } = connected({});
    const request = client.request('PM_LOGIN', LOGIN, { signal: AbortSignal.abort() });
    await expect(request).rejects.toMatchObject({ code: 'CANCELLED' });
    await settled();
    expect(asked.map(({ type }) => type)).toEqual(['PING', 'PING']);
  });

  it('of all by the client rejects each that has no result of its own', async () => {
    const { client } = connected({
      getLinkedDevices: never,
      loginPasskey: untilAborted(() => Promise.reject(new LatchkeyError('LOGIN_CANCELLED'))),
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

describe('Reports', () => {
  it('carry a flow event without what is no part of one', async () => {
    const reports: Progress[] = [];
    const { client } = connected({
      loginPasskey: async (...[, options]: LoginArgs) => {
        options.onEvent?.({
          flow: 'login',
          step: 4,
          phase: 'login-complete',
          status: 'success',
          message: 'Logged in',
          data: { unlockedBy: 'passkey', prf: 'PLANTED', nearAccountId: 5 },
          error: { code: 'UNKNOWN', message: 'no', cause: 'PLANTED' } as never,
        });
        return CASES.PM_LOGIN.gives;
      },
    });
    await client.request('PM_LOGIN', LOGIN, { onProgress: (report) => reports.push(report) });
    expect(reports).toEqual([
      {
        step: 4,
        phase: 'login-complete',
        status: 'success',
        message: 'Logged in',
        data: { unlockedBy: 'passkey' },
        error: { code: 'UNKNOWN', message: 'no' },
      },
    ]);
  });

  it('end with the result, unless the request is sticky', async () => {
    const late = async (...args: LoginArgs) => {
      queueMicrotask(() =>
        setTimeout(() =>
          args[1].onEvent?.({
            flow: 'login',
            step: 1,
            phase: 'preparation',
            status: 'progress',
            message: '',
          }),
        ),
      );
      return CASES.PM_LOGIN.gives;
    };
    const { ask, answersTo } = raw({ loginPasskey: late });
    const login = ask('PM_LOGIN', LOGIN);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await answersTo(login)).map(({ type }) => type)).toEqual(['PM_RESULT']);
  });

  it('of a sticky request go on after its result, with its UI, until its end', async () => {
    let close: (result: ExportKeypairResult) => void = () => undefined;
    const { client, settled } = connected({
      exportNearKeypairWithUI: (_: string, { onEvent }: Parameters<Wallet['exportNearKeypairWithUI']>[1]) =>
        new Promise((resolve) => {
          setTimeout(() =>
            onEvent?.({ flow: 'export', step: 4, phase: 'key-delivered', status: 'success', message: '' }),
          );
          close = resolve;
        }),
    });
    const told: unknown[] = [];
    await client.request('PM_EXPORT_NEAR_KEYPAIR_UI', CASES.PM_EXPORT_NEAR_KEYPAIR_UI.payload, {
      onProgress: ({ phase }) => told.push(phase),
      onUi: (state) => told.push(state),
      onEnd: (end) => told.push(end),
    });
    told.push('result');
    await expect.poll(() => told).toContain('key-delivered');
    close({ success: true, nearAccountId: 'a.testnet', publicKey: 'k' });
    await settled();
    expect(told).toEqual([
      'opened',
      'result',
      'key-delivered',
      'closed',
      { ok: true, result: { success: true, nearAccountId: 'a.testnet', publicKey: 'k' } },
    ]);
  });

  it('of a sticky request that is cancelled after its result end with what it says', async () => {
    const { ask, answersTo } = raw({
      exportNearKeypairWithUI: untilAborted(() => CASES.PM_EXPORT_NEAR_KEYPAIR_UI.gives),
    });
    const id = ask('PM_EXPORT_NEAR_KEYPAIR_UI', CASES.PM_EXPORT_NEAR_KEYPAIR_UI.payload, { sticky: true });
    ask('PM_CANCEL', { requestId: id });
    expect((await answersTo(id)).map(({ type }) => type)).toEqual([
      'WALLET_UI_OPENED',
      'PM_RESULT',
      'PROGRESS',
      'ERROR',
    ]);
  });

  it('tell the code of a linking to the page that draws it until the other device has it', async () => {
    const shown: AbortSignal[] = [];
    let options: Parameters<Wallet['startDevice2LinkingFlow']>[0] = {};
    const { client, settled, said } = connected({
      startDevice2LinkingFlow: async (given: typeof options) => {
        options = given;
        return CASES.PM_START_DEVICE2_LINKING_FLOW.result;
      },
      showLinkingCode: (_: unknown, signal: AbortSignal) => shown.push(signal),
    });
    const ends: unknown[] = [];
    await client.request(
      'PM_START_DEVICE2_LINKING_FLOW',
      { ui: 'modal' },
      { onEnd: (end) => ends.push(end) },
    );
    expect(shown.map(({ aborted }) => aborted)).toEqual([false]);
    options.onEvent?.({ flow: 'linking', step: 5, phase: 'addkey-detected', status: 'success', message: '' });
    expect(shown.map(({ aborted }) => aborted)).toEqual([true]);
    options.onError?.(new LatchkeyError('LINK_BUSY'));
    await options.afterCall?.(false);
    await settled();
    expect(ends).toMatchObject([{ ok: false, error: { code: 'LINK_BUSY' } }]);
    expect(said.filter(({ type }) => type.startsWith('WALLET_UI')).map(({ type }) => type)).toEqual([
      'WALLET_UI_OPENED',
      'WALLET_UI_CLOSED',
      'WALLET_UI_CLOSED',
    ]);
  });

  it('of the register button tell the host no more than a registration is', async () => {
    const told: unknown[] = [];
    let register: () => Promise<unknown> = async () => undefined;
    const answers = [
      throwing(new TypeError('PLANTED')),
      async () => ({ ...(CASES.PM_REGISTER.gives as object), prf: 'PLANTED' }),
    ];
    const { client, settled } = connected({
      showRegisterButton: (button: { register: typeof register }) => {
        register = button.register;
      },
      registerPasskey: () => answers.shift()?.(),
      tellHost: (message: unknown) => told.push(message),
    });
    const ends: unknown[] = [];
    const payload = { nearAccountId: 'a.testnet' };
    await client.request('PM_MOUNT_REGISTER_BUTTON', payload, { onEnd: (end) => ends.push(end) });
    await expect(register()).rejects.toThrow();
    await register();
    await settled();
    expect(told).toMatchObject([
      { type: 'REGISTER_BUTTON_SUBMIT', payload },
      { type: 'REGISTER_BUTTON_RESULT', payload: { ok: false } },
      { type: 'REGISTER_BUTTON_SUBMIT', payload },
      { type: 'REGISTER_BUTTON_RESULT', payload: { ok: true, result: CASES.PM_REGISTER.gives } },
    ]);
    expect(ends).toEqual([{ ok: true, result: CASES.PM_REGISTER.gives }]);
    expect(JSON.stringify(told)).not.toContain('PLANTED');
  });

  it('of the login state reach every listener, and no other', async () => {
    const { client, tellLoginState, settled } = connected({});
    const told: unknown[] = [];
    client.onLoginState((state) => told.push(['first', state]));
    const end = client.onLoginState((state) => told.push(['second', state]));
    tellLoginState({ ...loginState, vrfSecret: 'PLANTED' } as never);
    await settled();
    end();
    tellLoginState(loginState);
    await settled();
    expect(told).toEqual([
      ['first', loginState],
      ['second', loginState],
      ['first', loginState],
    ]);
  });
});

describe('Errors', () => {
  const asked = (error: unknown) =>
    connected({
      getLinkedDevices: throwing(error),
      setConfirmBehavior: throwing(error),
      recoverAccountFlow: throwing(error),
    });

  it('keep code, message and details, and leave their cause in the wallet', async () => {
    const error = new LatchkeyError('TRANSACTION_FAILED', {
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
    'that are not ours are told by %s without a word of theirs',
    async (type, payload, code, message) => {
      const { client, said } = asked(new TypeError('PLANTED'));
      await expect(client.request(type, payload as never)).rejects.toMatchObject({ code, message });
      expect(JSON.stringify(said)).not.toContain('PLANTED');
    },
  );

  it('of a result that is not what it should be name the field and not its value', async () => {
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

describe('A request without an answer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  const TIMEOUT = 1_000;
  const report = (phase: string, status = 'progress') =>
    ({ flow: 'login', step: 1, phase, status, message: '' }) as never;

  function loggingIn() {
    let tell: (event: Progress) => void = () => undefined;
    const both = connected(
      {
        loginPasskey: (...[, options]: LoginArgs) => {
          tell = options.onEvent as never;
          return never();
        },
      },
      TIMEOUT,
    );
    const state = { ended: undefined as LatchkeyError | undefined };
    both.client.request('PM_LOGIN', LOGIN).catch((error) => {
      state.ended = error;
    });
    return { ...both, state, tell: (event: Progress) => tell(event) };
  }

  it('times out, and the wallet is told to cancel it', async () => {
    const { state, settled, asked } = loggingIn();
    await settled();
    vi.advanceTimersByTime(TIMEOUT);
    await settled();
    expect(state.ended).toMatchObject({
      code: 'REQUEST_TIMEOUT',
      message: 'Wallet request timeout for PM_LOGIN',
    });
    expect(asked.find(({ type }) => type === 'PM_CANCEL')?.payload).toEqual({
      requestId: asked[0]?.requestId,
    });
  });

  it('is given its time again by every report', async () => {
    const { state, settled, tell } = loggingIn();
    await settled();
    for (let round = 0; round < 3; round += 1) {
      vi.advanceTimersByTime(TIMEOUT - 1);
      tell(report('preparation'));
      await settled();
    }
    expect(state.ended).toBeUndefined();
    vi.advanceTimersByTime(TIMEOUT);
    await settled();
    expect(state.ended).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });

  it('waits for a person for as long as that takes', async () => {
    const { state, settled, tell } = loggingIn();
    await settled();
    tell(report('webauthn-assertion'));
    await settled();
    vi.advanceTimersByTime(100 * TIMEOUT);
    expect(state.ended).toBeUndefined();
    tell(report('webauthn-assertion', 'success'));
    await settled();
    vi.advanceTimersByTime(TIMEOUT);
    await settled();
    expect(state.ended).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });

  it('does not time out while the wallet shows its own settings', async () => {
    const { client, settled } = connected({ openSettings: never }, TIMEOUT);
    let ended: unknown;
    client.request('PM_OPEN_SETTINGS', undefined).catch((error) => {
      ended = error;
    });
    await settled();
    vi.advanceTimersByTime(100 * TIMEOUT);
    await settled();
    expect(ended).toBeUndefined();
  });

  it('that was cancelled is not waited for long, whatever the wallet reports of it', async () => {
    const { port1, port2 } = new MessageChannel();
    const { createPortClient } = await import('./host/port-client.js');
    const client = createPortClient(port1, { requestTimeoutMs: TIMEOUT });
    open.push({ close: () => port2.close() });
    port2.addEventListener('message', ({ data: { payload, type, requestId } }) =>
      port2.postMessage(
        type === 'PING' ? { type: 'PONG', requestId } : { ...CANCELLED_REPORT, requestId: payload.requestId },
      ),
    );
    port2.start();
    const ending = new AbortController();
    let ended: unknown;
    client.request('PM_LOGIN', LOGIN, { signal: ending.signal }).catch((error) => {
      ended = error;
    });
    ending.abort();
    await client.request('PING', undefined);
    expect(ended).toBeUndefined();
    vi.runAllTimers();
    await client.request('PING', undefined);
    expect(ended).toMatchObject({ code: 'CANCELLED' });
  });

  it('is rejected when its port is closed, as is every later one', async () => {
    const { client, state, settled } = loggingIn();
    await settled();
    const reason = new LatchkeyError('WALLET_FRAME_MISSING');
    client.close(reason);
    await expect(client.request('PING', undefined)).rejects.toBe(reason);
    expect(state.ended).toBe(reason);
  });
});

describe('What comes out of turn', () => {
  it('under an id that was used before is refused, and the first one gets its answer alone', async () => {
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

  it('from the wallet is nobody’s', async () => {
    const { port1, port2 } = new MessageChannel();
    const { createPortClient } = await import('./host/port-client.js');
    const client = createPortClient(port1, { requestTimeoutMs: 60_000 });
    open.push({ close: () => port2.close() });
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
    const { createPortClient } = await import('./host/port-client.js');
    const client = createPortClient(port1, { requestTimeoutMs: 60_000 });
    open.push({ close: () => port2.close() });
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

describe('Limits', () => {
  const deploy = (size: number) => ({
    nearAccountId: 'a.testnet',
    receiverId: 'a.testnet',
    actionArgs: { type: 'DeployContract', code: new Uint8Array(size) },
  });
  const call = (args: unknown) => ({
    nearAccountId: 'a.testnet',
    receiverId: 'b.testnet',
    actionArgs: { type: 'FunctionCall', methodName: 'm', args },
  });
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { deeper: nested(depth - 1) });
  const answers = { executeAction: async (..._: ActionArgs) => CASES.PM_EXECUTE_ACTION.gives };
  const MB = 1024 * 1024;

  it.each([
    ['a contract of 4 MB', deploy(4 * MB)],
    ['arguments of 4 MB', call('x'.repeat(4 * MB))],
  ])('let %s through', async (_, payload) => {
    const { ask, answersTo } = raw(answers);
    expect(await answersTo(ask('PM_EXECUTE_ACTION', payload))).toMatchObject([{ type: 'PM_RESULT' }]);
  });

  it.each([
    ['a larger contract', deploy(4 * MB + 1), 'payload.actionArgs.code'],
    ['longer arguments', call('x'.repeat(4 * MB + 1)), 'payload.actionArgs.args'],
    ['a larger message', call({ a: 'x'.repeat(MAX_REQUEST_SIZE) }), 'payload.actionArgs.args.a'],
    ['a message of too many values', call({ a: Array(MAX_VALUES).fill(0) }), 'payload.actionArgs.args.a.'],
    [
      'a sparse list that claims to be long',
      call({ a: Object.assign([], { length: 2 ** 31 }) }),
      'payload.actionArgs.args.a',
    ],
    ['a message nested too deep', call(nested(MAX_DEPTH)), 'payload.actionArgs.args.deeper.'],
    ['what is no plain data', call({ when: new Date(0) }), 'payload.actionArgs.args.when'],
    ['a number that is none', call({ n: Number.NaN }), 'payload.actionArgs.args.n'],
  ])('refuse %s', async (_, payload, field) => {
    const { ask, answersTo, calls } = raw(answers);
    const [refusal, ...others] = await answersTo(ask('PM_EXECUTE_ACTION', payload));
    expect(refusal).toMatchObject({ type: 'ERROR', payload: { code: 'INVALID_MESSAGE' } });
    expect(refusal?.payload?.details).toEqual({
      field: expect.stringMatching(`^${field.replaceAll('.', '\\.')}`),
    });
    expect(others).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('refuse more requests at once than a page needs, and take others when some have ended', async () => {
    const { ask, answersTo, said } = raw({ getLinkedDevices: never, hasPasskeyCredential: async () => true });
    for (let index = 1; index < MAX_RUNNING; index += 1) ask('PM_GET_LINKED_DEVICES', { accountId: 'a' });
    const last = ask('PM_HAS_PASSKEY', { nearAccountId: 'a' });
    expect(await answersTo(last)).toMatchObject([{ type: 'PM_RESULT' }]);
    ask('PM_GET_LINKED_DEVICES', { accountId: 'a' });
    const refused = ask('PM_HAS_PASSKEY', { nearAccountId: 'a' });
    await expect
      .poll(() => said.filter(({ requestId }) => requestId === refused))
      .toMatchObject([{ type: 'ERROR', payload: { code: 'INVALID_MESSAGE' } }]);
  });

  it('leave room for the cancelling of what runs', async () => {
    const { ask, answersTo } = raw({ getLinkedDevices: never, hasPasskeyCredential: async () => true });
    for (let index = 0; index < MAX_RUNNING; index += 1) ask('PM_GET_LINKED_DEVICES', { accountId: 'a' });
    const cancel = ask('PM_CANCEL');
    expect(await answersTo(cancel)).toMatchObject([{ type: 'PONG' }]);
    expect(await answersTo(ask('PM_HAS_PASSKEY', { nearAccountId: 'a' }))).toMatchObject([
      { type: 'PM_RESULT' },
    ]);
  });

  it('name what a host cannot send at all before it is sent', async () => {
    const { client, asked, settled } = connected(answers);
    const payload = call({ onDone: () => undefined }) as never;
    await expect(client.request('PM_EXECUTE_ACTION', payload)).rejects.toMatchObject({
      code: 'INVALID_MESSAGE',
      details: { field: 'payload.actionArgs.args.onDone' },
    });
    await settled();
    expect(asked.map(({ type }) => type)).toEqual(['PING', 'PING']);
  });

  it('leave out what a host left undefined', async () => {
    const { client, calls } = connected(answers);
    await client.request('PM_EXECUTE_ACTION', { ...ACTION, waitUntil: undefined } as never);
    expect(calls[0]?.args[0]).not.toHaveProperty('options.waitUntil');
  });
});

describe('A wallet end that is closed', () => {
  it('ends what runs, and answers no more', async () => {
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
