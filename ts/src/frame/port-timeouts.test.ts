/** How long a request over the port may be silent. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError, WALLET_FRAME_MISSING } from '../errors/frame.js';
import { createPortClient } from './host/port-client.js';
import type { MessageType, PayloadOf } from './protocol/index.js';
import { CASES } from './testing/cases.js';
import { ACTION, CANCELLED_REPORT, connected, LOGIN, never, opened } from './testing/ports.js';
import type { Told } from './testing/recording-wallet.js';

describe('A request without an answer (frame 9)', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  const TIMEOUT = 1_000;
  const report = (phase: string, status = 'progress') => ({ step: 1, phase, status });

  /** A wallet page that answers PING until it freezes, and nothing else unless the test says it. */
  function frozenLater() {
    const { port1, port2 } = new MessageChannel();
    const asked: Told[] = [];
    let isFrozen = false;
    port2.addEventListener('message', ({ data }: MessageEvent<Told>) => {
      if (data.type === 'MARK') return port2.postMessage(data);
      asked.push(data);
      if (data.type === 'PING' && !isFrozen) port2.postMessage({ type: 'PONG', requestId: data.requestId });
    });
    port2.start();
    opened({ close: () => port2.close() });
    return {
      client: createPortClient(port1, { requestTimeoutMs: TIMEOUT }),
      asked,
      /** The wallet's message about the first request. */
      say: (type: string, payload: unknown) =>
        port2.postMessage({ type, requestId: asked[0]?.requestId, payload }),
      freeze: () => {
        isFrozen = true;
      },
      /** Resolves when both ends have handled all earlier messages: a mark goes there and back, twice. */
      arrived: async () => {
        for (let round = 0; round < 2; round += 1) {
          const back = new Promise((resolve) => {
            port1.addEventListener('message', function take({ data }) {
              if (data.type !== 'MARK') return;
              port1.removeEventListener('message', take);
              resolve(undefined);
            });
          });
          port1.postMessage({ type: 'MARK' });
          await back;
        }
      },
    };
  }
  const sending = (transactionId: string, index = 0) => ({
    step: 8,
    phase: 'broadcasting',
    status: 'progress',
    data: { index, transactionId },
  });

  /** A request to a page that freezes after these reports, and how the host ends it. */
  async function endOnFrozen<T extends MessageType>(
    type: T,
    payload: PayloadOf<T>,
    reports: readonly unknown[] = [],
  ) {
    const { client, asked, say, freeze, arrived } = frozenLater();
    const ended = client.request(type, payload).catch((error: LatchkeyError) => error);
    await arrived();
    for (const one of reports) say('PROGRESS', one);
    freeze();
    await arrived();
    vi.advanceTimersByTime(TIMEOUT);
    await arrived();
    vi.advanceTimersByTime(3_000);
    await arrived();
    return { error: (await ended) as LatchkeyError, asked };
  }

  it('goes on for as long as the wallet page answers PING, and ends with its answer', async () => {
    const { client, say, arrived } = frozenLater();
    const ended = client.request('PM_EXECUTE_ACTION', ACTION);
    await arrived();
    say('PROGRESS', sending('tx1'));
    for (let round = 0; round < 100; round += 1) {
      await arrived();
      vi.advanceTimersByTime(TIMEOUT);
    }
    await arrived();
    const answer = {
      success: false,
      transactionId: 'tx1',
      fate: 'unknown',
      error: 'not known',
      result: null,
    };
    say('PM_RESULT', { ok: true, result: answer });
    expect(await ended).toEqual(answer);
  });

  it('names what it sent, and says that the outcome is not known yet, when the page freezes', async () => {
    const { error } = await endOnFrozen('PM_SIGN_AND_SEND_TXS', CASES.PM_SIGN_AND_SEND_TXS.payload, [
      sending('tx1'),
      sending('tx2', 1),
      sending('tx2again', 1),
    ]);
    expect(error.details).toMatchObject({
      fate: 'unknown',
      transactionId: 'tx1',
      transactionIds: ['tx1', 'tx2again'],
    });
    expect(error.message).toContain('not known yet: look up tx1, tx2again');
    expect(error.message).not.toMatch(/timeout|fail/i);
  });

  it('may have sent something when the page freezes before it named anything', async () => {
    const { error } = await endOnFrozen('PM_EXECUTE_ACTION', ACTION);
    expect(error).toMatchObject({ code: 'REQUEST_TIMEOUT', details: { fate: 'unknown' } });
    expect(error.message).toContain('may have been sent');
    expect(error.message).not.toMatch(/timeout/i);
  });

  it('has an unknown outcome, not a cancelled one, if it was cancelled after it sent', async () => {
    const { client, say, arrived } = frozenLater();
    const ending = new AbortController();
    const ended = client
      .request('PM_EXECUTE_ACTION', ACTION, { signal: ending.signal })
      .catch((error: LatchkeyError) => error);
    await arrived();
    say('PROGRESS', sending('tx1'));
    await arrived();
    ending.abort();
    vi.advanceTimersByTime(5_000);
    expect(await ended).toMatchObject({
      code: 'REQUEST_TIMEOUT',
      details: { fate: 'unknown', transactionId: 'tx1' },
    });
  });

  it('times out, and the host tells the wallet to cancel it', async () => {
    const { error, asked } = await endOnFrozen('PM_LOGIN', LOGIN);
    expect(error).toMatchObject({
      code: 'REQUEST_TIMEOUT',
      message: 'Wallet request timeout for PM_LOGIN',
    });
    expect(asked.find(({ type }) => type === 'PM_CANCEL')?.payload).toEqual({
      requestId: asked[0]?.requestId,
    });
  });

  it('gets its full time again with every report', async () => {
    const { client, say, freeze, arrived } = frozenLater();
    let ended: unknown;
    client.request('PM_LOGIN', LOGIN).catch((error) => {
      ended = error;
    });
    await arrived();
    freeze();
    for (let round = 0; round < 3; round += 1) {
      vi.advanceTimersByTime(TIMEOUT - 1);
      say('PROGRESS', report('preparation'));
      await arrived();
    }
    vi.advanceTimersByTime(TIMEOUT + 2_999);
    await arrived();
    expect(ended).toBeUndefined();
    vi.advanceTimersByTime(1);
    await arrived();
    expect(ended).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });

  it('waits for the user as long as necessary', async () => {
    const { client, say, freeze, arrived } = frozenLater();
    let ended: unknown;
    client.request('PM_LOGIN', LOGIN).catch((error) => {
      ended = error;
    });
    await arrived();
    freeze();
    say('PROGRESS', report('webauthn-assertion'));
    await arrived();
    vi.advanceTimersByTime(100 * TIMEOUT);
    await arrived();
    expect(ended).toBeUndefined();
    say('PROGRESS', report('webauthn-assertion', 'success'));
    await arrived();
    vi.advanceTimersByTime(TIMEOUT);
    await arrived();
    vi.advanceTimersByTime(3_000);
    await arrived();
    expect(ended).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });

  it('is timed even on a live page if it is no flow', async () => {
    const { client, arrived } = frozenLater();
    let ended: unknown;
    client.request('PM_HAS_PASSKEY', { nearAccountId: 'a.testnet' }).catch((error) => {
      ended = error;
    });
    await arrived();
    vi.advanceTimersByTime(TIMEOUT);
    await arrived();
    expect(ended).toMatchObject({ message: 'Wallet request timeout for PM_HAS_PASSKEY' });
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
    const { client } = connected({ loginPasskey: never });
    const ended = client.request('PM_LOGIN', LOGIN);
    const reason = new LatchkeyError(WALLET_FRAME_MISSING);
    client.close(reason);
    await expect(ended).rejects.toBe(reason);
    await expect(client.request('PING', undefined)).rejects.toBe(reason);
  });
});
