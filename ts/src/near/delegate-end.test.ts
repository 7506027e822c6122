import { describe, expect, it } from 'vitest';
import { delegateEnd, isDelegateRefused } from './delegate-end.js';
import type { TransactionOutcome } from './rpc-answer.js';

type Status = string | Readonly<Record<string, unknown>>;

const FAILURE = { ActionError: { kind: 'AccountDoesNotExist' } };

/** Receipts in the order of their making, each with what it created; the first one is the carrier. */
function outcome(...receipts: [id: string, status: Status, created?: string[]][]): TransactionOutcome {
  return {
    transaction_outcome: { outcome: { status: { SuccessReceiptId: 'carrier' }, receipt_ids: ['carrier'] } },
    receipts_outcome: receipts.map(([id, status, receipt_ids = []]) => ({
      id,
      outcome: { status, receipt_ids },
    })),
  } as unknown as TransactionOutcome;
}
const value = { SuccessValue: '' };
const promise = (id: string) => ({ SuccessReceiptId: id });

describe('the end of a delegate', () => {
  it("is that of its actions' receipt, the first that the carrier created", () => {
    const carrier: [string, Status, string[]] = ['carrier', value, ['actions', 'refund']];
    expect(delegateEnd(outcome(carrier, ['actions', value], ['refund', { Failure: FAILURE }]))).toEqual({
      kind: 'succeeded',
    });
    expect(delegateEnd(outcome(carrier, ['actions', { Failure: FAILURE }], ['refund', value]))).toEqual({
      kind: 'failed',
      failure: FAILURE,
    });
  });

  it('is that of the promise that the actions returned', () => {
    const receipts = (last: Status) =>
      outcome(
        ['carrier', value, ['actions']],
        ['actions', promise('call')],
        ['call', promise('back')],
        ['back', last],
      );
    expect(delegateEnd(receipts(value))).toEqual({ kind: 'succeeded' });
    expect(delegateEnd(receipts({ Failure: FAILURE }))).toEqual({ kind: 'failed', failure: FAILURE });
    expect(delegateEnd(receipts('Unknown'))).toEqual({ kind: 'untold' });
  });

  it('is a refusal where the chain refused the delegate itself', () => {
    const refused = outcome(['carrier', { Failure: FAILURE }]);
    expect(delegateEnd(refused)).toEqual({ kind: 'failed', failure: FAILURE });
    expect(isDelegateRefused(refused)).toBe(true);
    expect(
      isDelegateRefused(outcome(['carrier', value, ['actions']], ['actions', { Failure: FAILURE }])),
    ).toBe(false);
  });

  it.each<[string, TransactionOutcome]>([
    ['no receipt', outcome()],
    ['no carrier', outcome(['other', { Failure: FAILURE }])],
    ['no receipts', {} as TransactionOutcome],
    ['a carrier that created none', outcome(['carrier', value])],
    ["no receipt of the delegate's actions", outcome(['carrier', value, ['actions']])],
    [
      'a transaction that has not run',
      { ...outcome(['carrier', value, ['actions']]), transaction_outcome: undefined } as TransactionOutcome,
    ],
    [
      'a transaction of an unknown status',
      {
        ...outcome(['carrier', { Failure: FAILURE }]),
        transaction_outcome: { outcome: { status: 'Unknown' } },
      } as unknown as TransactionOutcome,
    ],
    [
      'a transaction that made no receipt',
      {
        ...outcome(['carrier', { Failure: FAILURE }]),
        transaction_outcome: { outcome: { status: value } },
      } as unknown as TransactionOutcome,
    ],
    [
      'receipts in a circle',
      outcome(['carrier', value, ['actions']], ['actions', promise('call')], ['call', promise('actions')]),
    ],
  ])('is not told by an answer with %s', (_, answer) => {
    expect(delegateEnd(answer)).toEqual({ kind: 'untold' });
    expect(isDelegateRefused(answer)).toBe(false);
  });
});
