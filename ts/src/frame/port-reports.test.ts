/** The wallet's reports over the port, during requests and unasked. */
import { describe, expect, it } from 'vitest';
import { LatchkeyError, LINK_BUSY } from '../errors/account.js';
import type { FlowPhase } from '../events.js';
import type { ExportKeypairOptions, ExportKeypairResult } from '../types.js';
import type { Wallet } from '../wallet.js';
import type { LinkingProgress, Progress } from './protocol/index.js';
import { CASES } from './testing/cases.js';
import { connected, LOGIN, type LoginArgs, raw, throwing, untilAborted } from './testing/ports.js';
import { loginState } from './testing/session-cases.js';

describe('Reports (frame 4, frame 7, button 10, kit 2)', () => {
  it('carry only the fields of a flow event', async () => {
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

  it('of a sticky request continue after its result, with its UI, until its end', async () => {
    let close: (result: ExportKeypairResult) => void = () => undefined;
    const { client, settled } = connected({
      exportNearKeypairWithUI: (_: string, { onEvent }: ExportKeypairOptions) =>
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

  it('of a sticky request cancelled after its result end with its own outcome', async () => {
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

  it('give the linking code and its steps to the page that draws them until this device is linked', async () => {
    const shown: LinkingProgress[] = [];
    const steps: string[] = [];
    let options: Parameters<Wallet['startDevice2LinkingFlow']>[0] = {};
    const { client, settled, said } = connected({
      startDevice2LinkingFlow: async (given: typeof options) => {
        options = given;
        return CASES.PM_START_DEVICE2_LINKING_FLOW.result;
      },
      showLinkingCode: (_: unknown, progress: LinkingProgress) => shown.push(progress),
    });
    const ends: unknown[] = [];
    await client.request(
      'PM_START_DEVICE2_LINKING_FLOW',
      { ui: 'modal' },
      { onEnd: (end) => ends.push(end) },
    );
    const tell = (step: number, phase: FlowPhase<'linking'>, status: 'progress' | 'success') =>
      options?.onEvent?.({ flow: 'linking', step, phase, status, message: '' });
    const isOver = () => shown.map(({ signal }) => signal.aborted);
    tell(5, 'addkey-detected', 'success');
    const [progress] = shown;
    progress?.follow(({ phase }) => void steps.push(phase));
    tell(6, 'registration', 'progress');
    expect(isOver()).toEqual([false]);
    tell(7, 'linking-complete', 'success');
    expect(isOver()).toEqual([true]);
    expect(steps).toEqual(['addkey-detected', 'registration', 'linking-complete']);
    options.onError?.(new LatchkeyError(LINK_BUSY));
    await options.afterCall?.(false);
    await settled();
    expect(ends).toMatchObject([{ ok: false, error: { code: 'LINK_BUSY' } }]);
    expect(said.filter(({ type }) => type.startsWith('WALLET_UI')).map(({ type }) => type)).toEqual([
      'WALLET_UI_OPENED',
      'WALLET_UI_CLOSED',
      'WALLET_UI_CLOSED',
    ]);
  });

  it('of the register button tell the host only what a registration would', async () => {
    const told: unknown[] = [];
    const vouchers: unknown[] = [];
    let register: () => Promise<unknown> = async () => undefined;
    const answers = [
      throwing(new TypeError('PLANTED')),
      async () => ({ ...(CASES.PM_REGISTER.gives as object), prf: 'PLANTED' }),
    ];
    const { client, settled } = connected({
      showRegisterButton: (button: { register: typeof register }) => {
        register = button.register;
      },
      registerPasskey: (_: string, options: { signupVoucher?: string }) => {
        vouchers.push(options.signupVoucher);
        return answers.shift()?.();
      },
      tellHost: (message: unknown) => told.push(message),
    });
    const ends: unknown[] = [];
    const payload = { nearAccountId: 'a.testnet' };
    const asked = { ...payload, signupVoucher: 'v1.a.b' };
    await client.request('PM_MOUNT_REGISTER_BUTTON', asked, { onEnd: (end) => ends.push(end) });
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
    expect(vouchers).toEqual(['v1.a.b', 'v1.a.b']);
  });

  it('of the transaction button tell the host of each click, and end with the one that succeeded', async () => {
    const told: unknown[] = [];
    const { client, settled } = connected({
      showTransactionButton: async (button: { sign: typeof sign }) => {
        sign = button.sign;
      },
      signAndSendTransactions: (args: unknown) => {
        asked.push(args);
        return answers.shift()?.();
      },
      tellHost: (message: unknown) => told.push(message),
    });
    let sign: () => Promise<unknown> = async () => undefined;
    const asked: unknown[] = [];
    const done = { success: true, transactionId: 'AbC', result: null, fate: 'executed' };
    const answers = [
      throwing(new TypeError('PLANTED')),
      async () => [done, { ...done, success: false, error: 'Too poor', errorCode: 'CANCELLED' }],
      async () => [{ ...done, prf: 'PLANTED' }],
    ];
    const ends: unknown[] = [];
    const transactions = [{ receiverId: 'b.testnet', actions: [{ type: 'Transfer' as const, amount: '1' }] }];
    const payload = { nearAccountId: 'a.testnet', transactions, options: { waitUntil: 'FINAL' as const } };
    await client.request('PM_MOUNT_TX_BUTTON', payload, { onEnd: (end) => ends.push(end) });
    await sign();
    await sign();
    expect(ends).toEqual([]);
    await sign();
    await settled();
    const submit = { type: 'TX_BUTTON_SUBMIT', payload: { nearAccountId: 'a.testnet' } };
    expect(told).toEqual([
      submit,
      { type: 'TX_BUTTON_RESULT', payload: { ok: false, error: expect.any(String) } },
      submit,
      {
        type: 'TX_BUTTON_RESULT',
        payload: {
          ok: false,
          error: 'Too poor',
          cancelled: true,
          results: [
            { transactionId: 'AbC', fate: 'executed' },
            { transactionId: 'AbC', fate: 'executed' },
          ],
        },
      },
      submit,
      { type: 'TX_BUTTON_RESULT', payload: { ok: true } },
    ]);
    expect(ends).toEqual([{ ok: true, result: [done] }]);
    expect(asked[0]).toMatchObject({
      nearAccountId: 'a.testnet',
      transactions,
      options: { waitUntil: 'FINAL' },
    });
    expect(JSON.stringify([told, ends])).not.toContain('PLANTED');
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
