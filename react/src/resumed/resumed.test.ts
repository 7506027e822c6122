import type { ResumedBatch, ResumeResult, TransactionFate } from 'latchkey';
import { describe, expect, it } from 'vitest';
import {
  isOpen,
  NOTHING_KEPT,
  withAnswer,
  withoutSettled,
  withoutSettledRegistrations,
  withPending,
} from './resumed.js';

const batch = (createdAt: number, ...fates: TransactionFate[]): ResumedBatch => ({
  nearAccountId: 'alice.testnet',
  createdAt,
  transactions: fates.map((fate, index) => ({
    transactionId: `tx${createdAt}.${index}`,
    receiverId: 'bob.testnet',
    fate,
  })),
});
const answer = (given: Partial<ResumeResult> = {}): ResumeResult => ({
  committed: [],
  dropped: [],
  pending: [],
  mismatched: [],
  ...given,
});
const after = (...answers: ResumeResult[]) => answers.reduce(withAnswer, NOTHING_KEPT);
const fates = ({ result }: { result: ResumeResult | undefined }) =>
  (result?.batches ?? []).map(({ transactions }) => transactions.map(({ fate }) => fate));

describe('what an earlier visit left (core 4)', () => {
  it('stays after its outcome is known, until the user has seen it', () => {
    const kept = after(
      answer({ batches: [batch(1, 'unknown')] }),
      answer({ batches: [batch(1, 'executed')] }),
      answer(),
    );
    expect(fates(kept)).toEqual([['executed']]);
    expect(isOpen(kept.result)).toBe(false);
    expect(fates(withoutSettled(kept))).toEqual([]);
  });

  it('is open while a payment or a registration is not known, and stays then although it was seen', () => {
    const kept = withoutSettled(
      after(answer({ batches: [batch(1, 'executed'), batch(2, 'unknown', 'sent')] })),
    );
    expect(fates(kept)).toEqual([['unknown', 'sent']]);
    expect([isOpen(kept.result), isOpen(answer({ pending: ['a.testnet'] })), isOpen(undefined)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('keeps its payments when another flow begins, and forgets settled registrations', () => {
    const kept = after(
      answer({ committed: ['a.testnet'], pending: ['b.testnet'], batches: [batch(1, 'failed')] }),
    );
    expect(withoutSettledRegistrations(kept).result).toEqual(
      answer({ pending: ['b.testnet'], batches: [batch(1, 'failed')] }),
    );
    expect(withPending(kept, 'c.testnet').result?.pending).toEqual(['b.testnet', 'c.testnet']);
  });

  it('leaves an open payment to the tab that looks it up, after three answers without it', () => {
    const open = answer({ batches: [batch(1, 'unknown')] });
    expect(fates(after(open, answer(), answer()))).toEqual([['unknown']]);
    expect(fates(after(open, answer(), answer(), open, answer(), answer()))).toEqual([['unknown']]);
    expect(fates(after(open, answer(), answer(), answer()))).toEqual([]);
  });
});
