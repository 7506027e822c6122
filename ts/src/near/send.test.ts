import { afterEach, describe, expect, it, vi } from 'vitest';
import { CANCELLED, LatchkeyError } from '../errors/core.js';
import type { TransactionOutcome, TransactionState } from './rpc-answer.js';
import { type RpcFailure, rpcError } from './rpc-error.js';
import { fateOfState, type SignedCopy, sendUntilTaken, type ToSend } from './send.js';
import type { SendOptions } from './transaction-sending.js';

const EXECUTED = { final_execution_status: 'FINAL', status: { SuccessValue: '' } } as TransactionOutcome;
const OVERTAKEN: RpcFailure = { kind: 'invalid_transaction', reason: 'InvalidNonce' };
const UNKNOWN: RpcFailure = { kind: 'outcome_unknown', state: 'in-pool' };
const UNREACHABLE: RpcFailure = { kind: 'unreachable' };

type Answer = (options: SendOptions) => Promise<TransactionOutcome>;
const taken: Answer = async () => EXECUTED;
const fails =
  (failure: RpcFailure): Answer =>
  () =>
    Promise.reject(rpcError(failure, { reason: 'so' }));

/** Sends with these answers of the nodes in turn; the events tell what happened, in order. */
async function send(answers: readonly Answer[], steps: Partial<ToSend<SignedCopy>> = {}) {
  const events: string[] = [];
  const left = [...answers];
  let copies = 0;
  const rpc = {
    sendTransaction: (bytes: Uint8Array, _level: unknown, options: SendOptions = {}) => {
      events.push(`send ${bytes[0]}${options.wasSentBefore ? ' again' : ''}`);
      return (left.shift() ?? expect.fail('there is no further answer'))(options);
    },
  };
  const settled = await sendUntilTaken(rpc, {
    sign: async (refused) => {
      copies += 1;
      events.push(`sign ${copies}${refused ? ` for ${refused.copy.hash}` : ''}`);
      return copy(copies);
    },
    leaves: ({ hash }) => void events.push(`note ${hash}`),
    ...steps,
  });
  return { settled, events };
}

const copy = (number: number): SignedCopy => ({
  borshBytes: Uint8Array.of(number),
  hash: String(number),
});

afterEach(() => void vi.useRealTimers());

describe('a transaction', () => {
  it('is noted before each copy leaves, and signed again only after the chain refused the last copy for good', async () => {
    const { settled, events } = await send([fails(OVERTAKEN), fails(OVERTAKEN), taken]);
    expect(settled).toMatchObject({ fate: 'executed', copy: { hash: '3' } });
    expect(events.join(', ')).toBe(
      'sign 1, note 1, send 1, sign 2 for 1, note 2, send 2, sign 3 for 2, note 3, send 3',
    );
  });

  it('is signed four times at most', async () => {
    const { settled, events } = await send(Array.from({ length: 9 }, () => fails(OVERTAKEN)));
    expect(settled).toMatchObject({ fate: 'refused', copy: { hash: '4' }, failure: OVERTAKEN });
    expect(events.filter((event) => event.startsWith('sign'))).toHaveLength(4);
  });

  it.each<[string, RpcFailure, string]>([
    ['refused for another reason', { kind: 'invalid_transaction', reason: 'InvalidSignature' }, 'refused'],
    ['unknown', UNKNOWN, 'unknown'],
    ['in a block', { ...UNKNOWN, state: 'included' }, 'sent'],
    ['not sent', UNREACHABLE, 'not-sent'],
  ])('that is %s is signed once', async (_, failure, fate) => {
    const { settled, events } = await send([fails(failure)]);
    expect(settled).toMatchObject({ fate, failure });
    expect(events).toEqual(['sign 1', 'note 1', 'send 1']);
  });

  it('that may have left before goes out as the same bytes, and no error of a node calls it unsent', async () => {
    const { settled, events } = await send([fails(UNREACHABLE)], { earlier: copy(9) });
    expect(settled.fate).toBe('unknown');
    expect(events).toEqual(['note 9', 'send 9 again']);
  });

  it('does not leave when it cannot be noted', async () => {
    const full = new Error('the disk is full');
    const leaves = () => Promise.reject(full);
    await expect(send([], { leaves })).rejects.toBe(full);
  });
});

describe('while no node answers', () => {
  const patience = { attempts: 3, pauseMs: 1_000, forMs: 30_000 };

  it('sends the same bytes again', async () => {
    vi.useFakeTimers();
    const sending = send([fails(UNREACHABLE), fails(UNKNOWN), taken], { patience });
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await sending).events.filter((event) => !event.startsWith('note'))).toEqual([
      'sign 1',
      'send 1',
      'send 1 again',
      'send 1 again',
    ]);
  });

  it('gives up after so many attempts, and when its signal aborts', async () => {
    vi.useFakeTimers();
    const down = () => Array.from({ length: 9 }, () => fails(UNKNOWN));
    const sending = send(down(), { patience });
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await sending).events.filter((event) => event.startsWith('send'))).toHaveLength(3);

    const stopping = new AbortController();
    const stopped = send(down(), { patience, signal: stopping.signal }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(500);
    stopping.abort(new LatchkeyError(CANCELLED));
    expect(await stopped).toMatchObject({ code: 'CANCELLED' });
  });
});

describe('an abort', () => {
  const stopped = new LatchkeyError(CANCELLED);

  it('before it leaves stops it, unnoted', async () => {
    const { settled, events } = await send([], { signal: AbortSignal.abort(stopped) });
    expect(settled).toMatchObject({ fate: 'not-sent', error: stopped });
    expect(events).toEqual(['sign 1']);
  });

  it.each<[TransactionState['name'], string]>([
    ['in-pool', 'unknown'],
    ['included', 'sent'],
  ])('after it left does not call it cancelled: %s', async (name, fate) => {
    const { settled } = await send([
      ({ onState }) => {
        onState?.({ name } as TransactionState);
        return Promise.reject(stopped);
      },
    ]);
    expect(settled).toMatchObject({ fate, failure: { kind: 'outcome_unknown', state: name } });
  });
});

it('tells from a look at the chain what became of it', () => {
  const failed = { ...EXECUTED, status: { Failure: {} } } as TransactionOutcome;
  expect(
    [
      { name: 'expired' } as const,
      { name: 'in-pool' } as const,
      { name: 'included', outcome: { ...EXECUTED, status: undefined } } as TransactionState,
      { name: 'final', outcome: failed } as const,
    ].map(fateOfState),
  ).toEqual(['refused', 'unknown', 'sent', 'failed']);
});
