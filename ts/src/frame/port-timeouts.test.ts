/** How long a request over the port may be silent. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError } from '../errors/linking.js';
import { createPortClient } from './host/port-client.js';
import type { MessageType, PayloadOf, Progress } from './protocol/index.js';
import {
  ACTION,
  CANCELLED_REPORT,
  connected,
  LOGIN,
  type LoginArgs,
  never,
  opened,
} from './testing/ports.js';

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

  it('times out, and the host tells the wallet to cancel it', async () => {
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

  it('gets its full time again with every report', async () => {
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

  it('waits for the user as long as necessary', async () => {
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

  /** A request that waits for the user, and one of each kind next to it. */
  async function besideOneThatWaits() {
    let tell: (event: Progress) => void = () => undefined;
    const both = connected(
      {
        loginPasskey: (...[, options]: LoginArgs) => {
          tell = options.onEvent as never;
          return never();
        },
        executeAction: never,
        hasPasskeyCredential: never,
      },
      TIMEOUT,
    );
    const { client, settled } = both;
    const ended: { [type in MessageType]?: string } = {};
    const ending = new AbortController();
    const ask = <T extends MessageType>(type: T, payload: PayloadOf<T>, call = {}) =>
      client.request(type, payload, call).catch(({ code }: LatchkeyError) => {
        ended[type] = code;
      });
    ask('PM_LOGIN', LOGIN, { signal: ending.signal });
    await settled();
    tell(report('webauthn-assertion'));
    await settled();
    const laterOn = async (ms: number): Promise<typeof ended> => {
      vi.advanceTimersByTime(ms);
      await settled();
      return ended;
    };
    return { ask, laterOn, ending, settled, tell: (event: Progress) => tell(event) };
  }

  it('is paused behind a request that waits for the user, and then has its full time', async () => {
    const { ask, laterOn, tell, settled } = await besideOneThatWaits();
    ask('PM_EXECUTE_ACTION', ACTION);
    expect(await laterOn(100 * TIMEOUT)).toEqual({});
    tell(report('webauthn-assertion', 'success'));
    await settled();
    expect(await laterOn(TIMEOUT - 1)).toEqual({});
    expect(await laterOn(1)).toEqual({ PM_LOGIN: 'REQUEST_TIMEOUT', PM_EXECUTE_ACTION: 'REQUEST_TIMEOUT' });
  });

  it('is timed again once the request before it is cancelled', async () => {
    const { ask, laterOn, ending } = await besideOneThatWaits();
    ask('PM_EXECUTE_ACTION', ACTION);
    expect(await laterOn(TIMEOUT)).toEqual({});
    ending.abort();
    expect(await laterOn(TIMEOUT)).toMatchObject({ PM_EXECUTE_ACTION: 'REQUEST_TIMEOUT' });
  });

  it('is always timed if it waits in no queue, so that the host notices a lost page', async () => {
    const { ask, laterOn } = await besideOneThatWaits();
    ask('PM_HAS_PASSKEY', { nearAccountId: 'a.testnet' });
    expect(await laterOn(TIMEOUT)).toEqual({ PM_HAS_PASSKEY: 'REQUEST_TIMEOUT' });
  });

  it('times out after 20 s by default', async () => {
    const { port1, port2 } = new MessageChannel();
    opened({ close: () => port2.close() });
    const client = createPortClient(port1);
    let ended: unknown;
    client.request('PM_LOGOUT', undefined).catch((error) => {
      ended = error;
    });
    await vi.advanceTimersByTimeAsync(19_999);
    expect(ended).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toMatchObject({ code: 'REQUEST_TIMEOUT' });
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

  it('times out soon after it is cancelled, whatever the wallet reports about it', async () => {
    const { port1, port2 } = new MessageChannel();
    const client = createPortClient(port1, { requestTimeoutMs: TIMEOUT });
    opened({ close: () => port2.close() });
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

  it('is rejected when its port closes, as is every later request', async () => {
    const { client, state, settled } = loggingIn();
    await settled();
    const reason = new LatchkeyError('WALLET_FRAME_MISSING');
    client.close(reason);
    await expect(client.request('PING', undefined)).rejects.toBe(reason);
    expect(state.ended).toBe(reason);
  });
});
