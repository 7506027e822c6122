import { afterEach, describe, expect, it, vi } from 'vitest';
import { CANCELLED, LatchkeyError } from '../errors/core.js';
import type { AccessKeyView, TransactionOutcome, TransactionState } from './rpc-answer.js';
import { type RpcFailure, rpcError } from './rpc-error.js';
import {
  fateOfOutcome,
  fateOfState,
  highestNonce,
  isOpen,
  reachedNonce,
  type SignedCopy,
  sendUntilTaken,
  type ToSend,
} from './send.js';
import type { SendOptions } from './transaction-sending.js';

const EXECUTED = { final_execution_status: 'FINAL', status: { SuccessValue: '' } } as TransactionOutcome;
const OVERTAKEN: RpcFailure = { kind: 'invalid_transaction', reason: 'InvalidNonce' };
const UNKNOWN: RpcFailure = { kind: 'outcome_unknown', state: 'in-pool' };
const UNREACHABLE: RpcFailure = { kind: 'unreachable' };

type Answer = (options: SendOptions, level: unknown) => Promise<TransactionOutcome>;
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
    sendTransaction: (bytes: Uint8Array, level: unknown, options: SendOptions = {}) => {
      events.push(`send ${bytes[0]}${options.wasSentBefore ? ' again' : ''}`);
      return (left.shift() ?? expect.fail('there is no further answer'))(options, level);
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
    ['executed, as far as a node says', { ...UNKNOWN, state: 'executed' }, 'sent'],
    ['final, as far as a node says', { ...UNKNOWN, state: 'final' }, 'sent'],
    ['not there for a node', { ...UNKNOWN, state: 'not-seen' }, 'unknown'],
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

  it('is signed again where its block is too old', async () => {
    const { settled } = await send([fails({ ...OVERTAKEN, reason: 'Expired' }), taken]);
    expect(settled).toMatchObject({ fate: 'executed', copy: { hash: '2' } });
  });

  it('is signed again as often as its sender says, after a refusal that its sender can cure', async () => {
    const poor: RpcFailure = { kind: 'invalid_transaction', reason: 'NotEnoughBalance' };
    const isCurable = async ({ failure }: { failure: RpcFailure }) => failure.reason === poor.reason;
    const { settled, events } = await send([fails(poor), fails(poor), taken], { mostCopies: 2, isCurable });
    expect(settled).toMatchObject({ fate: 'refused', copy: { hash: '2' }, failure: poor });
    expect(events.join(', ')).toBe('sign 1, note 1, send 1, sign 2 for 1, note 2, send 2');
    const other = await send([fails(OVERTAKEN)], { isCurable });
    expect(other.settled).toMatchObject({ fate: 'refused', copy: { hash: '1' } });
  });

  it('waits before each further copy as long as its sender says', async () => {
    vi.useFakeTimers();
    const start = Date.now();
    const signedAt: number[] = [];
    const sending = send([fails(OVERTAKEN), fails(OVERTAKEN), taken], {
      pauseMs: (copies) => copies * 1_000,
      leaves: () => void signedAt.push(Date.now() - start),
    });
    await vi.advanceTimersByTimeAsync(3_000);
    expect((await sending).settled.fate).toBe('executed');
    expect(signedAt).toEqual([0, 1_000, 3_000]);
  });

  it('stops before its next copy when its signal aborts', async () => {
    const stopping = new AbortController();
    const isCurable = () => {
      stopping.abort(new LatchkeyError(CANCELLED));
      return true;
    };
    const sending = send([fails(OVERTAKEN)], { isCurable, pauseMs: () => 1_000, signal: stopping.signal });
    await expect(sending).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('goes out at the level and with the options that its sender wants', async () => {
    const { signal } = new AbortController();
    const essence = () => null;
    const answer: Answer = async (options, level) => {
      expect(options).toMatchObject({ signal, essence, untilEnded: true, wasSentBefore: false });
      expect(level).toBe('INCLUDED');
      return EXECUTED;
    };
    const sending = { signal, essence, untilEnded: true };
    const { settled } = await send([answer], { level: 'INCLUDED', sending });
    expect(settled).toMatchObject({ fate: 'executed', outcome: EXECUTED });
  });

  it('is not sent where an error of another kind stops it, which is passed on', async () => {
    const broken = new TypeError('broken');
    const { settled } = await send([() => Promise.reject(broken)]);
    expect(settled).toEqual({ copy: copy(1), fate: 'not-sent', error: broken, failure: undefined });
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

  it('tells whoever notes a copy whether the same bytes may have left before', async () => {
    vi.useFakeTimers();
    const noted: unknown[] = [];
    const leaves = ({ hash }: SignedCopy, isRepeated: boolean) => void noted.push([hash, isRepeated]);
    const sending = send([fails(UNKNOWN), fails(OVERTAKEN), taken], { patience, leaves });
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await sending).settled).toMatchObject({ fate: 'executed', copy: { hash: '2' } });
    expect(noted).toEqual([
      ['1', false],
      ['1', true],
      ['2', false],
    ]);
  });

  it('asks again for what it needs to sign', async () => {
    vi.useFakeTimers();
    const start = Date.now();
    const answers = [UNREACHABLE, UNREACHABLE];
    const sign = async () => {
      const failure = answers.shift();
      if (failure) throw rpcError(failure, { reason: 'so' });
      return copy(1);
    };
    const sending = send([taken], { patience, sign });
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await sending).settled.fate).toBe('executed');
    expect(Date.now() - start).toBe(2_000);
  });

  it('asks only once what the chain has answered, or what no patience is given for', async () => {
    const no = rpcError({ kind: 'unknown_account' }, { reason: 'so' });
    await expect(send([], { patience, sign: () => Promise.reject(no) })).rejects.toBe(no);
    const down = rpcError(UNREACHABLE, { reason: 'so' });
    await expect(send([], { sign: () => Promise.reject(down) })).rejects.toBe(down);
    const refusing = await send([fails({ kind: 'http', status: 401 })], { patience });
    expect(refusing.settled).toMatchObject({ fate: 'not-sent', failure: { status: 401 } });
  });

  it('begins no attempt once its time is over', async () => {
    vi.useFakeTimers();
    const down = () => Array.from({ length: 9 }, () => fails(UNKNOWN));
    const sending = send(down(), { patience: { attempts: 9, pauseMs: 1_000, forMs: 2_000 } });
    await vi.advanceTimersByTimeAsync(10_000);
    const { settled, events } = await sending;
    expect(settled).toMatchObject({ fate: 'unknown', failure: UNKNOWN });
    expect(events.filter((event) => event.startsWith('send'))).toHaveLength(3);
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

  it('does not keep bytes that may have left before from being looked up', async () => {
    const steps = { signal: AbortSignal.abort(stopped), earlier: copy(9) };
    const { settled, events } = await send([taken], steps);
    expect(settled.fate).toBe('executed');
    expect(events).toEqual(['note 9', 'send 9 again']);
  });

  it.each([
    ['may have left before', { earlier: copy(9) }, 'in-pool'],
    ['no node has seen', {}, 'not-seen'],
  ])('does not tell the end of bytes that %s', async (_, steps, state) => {
    const { settled } = await send([() => Promise.reject(stopped)], steps);
    expect(settled).toMatchObject({ fate: 'unknown', failure: { kind: 'outcome_unknown', state } });
    expect(settled).toMatchObject({ failure: { transactionId: settled.copy.hash } });
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
      { name: 'refused' } as const,
      { name: 'unknown' } as const,
      { name: 'in-pool' } as const,
      { name: 'included', outcome: { ...EXECUTED, status: undefined } } as TransactionState,
      { name: 'final', outcome: failed } as const,
    ].map(fateOfState),
  ).toEqual(['refused', 'refused', 'unknown', 'unknown', 'sent', 'failed']);
});

it.each<[string, unknown, string]>([
  ['a value', { SuccessValue: '' }, 'executed'],
  ['the receipt that goes on with it', { SuccessReceiptId: '1' }, 'executed'],
  ['a failure', { Failure: {} }, 'failed'],
  ['no end yet', 'Started', 'sent'],
  ['an end that this version does not know', { Later: '' }, 'sent'],
])('tells from an outcome what became of it: %s', (_, status, fate) => {
  expect(fateOfOutcome({ ...EXECUTED, status } as TransactionOutcome)).toBe(fate);
});

it('stays open after a failure that another attempt or node may mend, and no other', () => {
  const open: RpcFailure[] = [UNKNOWN, UNREACHABLE, { kind: 'busy' }, { kind: 'http', status: 503 }];
  expect(open.map(isOpen)).toEqual([true, true, true, true]);
  expect([OVERTAKEN, { kind: 'contract' } as const, undefined].map(isOpen)).toEqual([false, false, false]);
});

describe('the nonce that a key has reached (core 7)', () => {
  const refusal = (ak_nonce: unknown, reason = 'InvalidNonce'): RpcFailure => ({
    kind: 'invalid_transaction',
    reason,
    info: { tx_nonce: 5, ak_nonce },
  });
  const read = (nonce: number) => ({ nonce, block_height: 2 }) as AccessKeyView;

  it('is the one that a refusal for the nonce names', () => {
    expect(reachedNonce(refusal(7))).toBe(7n);
    expect(reachedNonce(refusal(0))).toBe(0n);
  });

  it.each<[string, RpcFailure | undefined]>([
    ['there is none', undefined],
    ['it is for another reason', refusal(7, 'Expired')],
    ['it names none', { kind: 'invalid_transaction', reason: 'InvalidNonce' }],
    ['it names a text', refusal('7')],
    ['it names a negative one', refusal(-1)],
    ['it names one that JSON does not carry exactly', refusal(2 ** 53)],
  ])('is not told by a refusal where %s', (_, failure) => {
    expect(reachedNonce(failure)).toBeUndefined();
    expect(highestNonce(read(6), failure)).toBe(6n);
  });

  it('is the higher one of a reading and a refusal', () => {
    expect(highestNonce(read(6), refusal(7))).toBe(7n);
    expect(highestNonce(read(8), refusal(7))).toBe(8n);
  });

  it('is never one that the chain cannot have accepted at the height of the reading', () => {
    expect(highestNonce(read(6), refusal(1_999_999))).toBe(1_999_999n);
    expect(highestNonce(read(6), refusal(2_000_000))).toBe(6n);
  });
});
