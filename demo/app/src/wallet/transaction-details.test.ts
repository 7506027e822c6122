import type { ResumeResult } from 'latchkey';
import { errorFrom } from 'latchkey/internal';
import { describe, expect, it } from 'vitest';
import { followed, transactionDetails, unknownResult } from './transaction-details.js';

const explorer = 'https://explorer.test';

describe('the latest transaction (core 4, demo 3, demo 7, demo 8)', () => {
  it('links to the explorer', () => {
    expect(transactionDetails({ success: true, transactionId: 'abc', result: null }, explorer)).toEqual({
      id: 'abc',
      link: 'https://explorer.test/transactions/abc',
      message: 'Success',
      end: 'Final',
      tone: 'good',
    });
  });

  it('says what is missing', () => {
    expect(transactionDetails({ success: true, transactionId: null, result: null }, explorer)).toMatchObject({
      id: 'N/A',
      link: undefined,
      message: 'Success, no TxID in response',
    });
    expect(transactionDetails({ success: false, transactionId: null, result: null }, explorer).message).toBe(
      'Failed: Unknown error',
    );
    expect(
      transactionDetails({ success: false, error: 'no gas', transactionId: 'abc', result: null }, explorer)
        .message,
    ).toBe('Failed: no gas');
  });

  it('is not known yet, rather than failed, while its outcome is unknown', () => {
    const unknown = {
      success: false,
      fate: 'unknown',
      transactionId: 'abc',
      result: null,
      error: 'no answer',
    } as const;
    const details = transactionDetails(unknown, explorer);
    expect(details).toMatchObject({
      id: 'abc',
      link: 'https://explorer.test/transactions/abc',
      end: 'Not known yet',
      tone: 'open',
      message: expect.stringContaining('don’t send it again'),
    });
    const after = (fate: 'unknown' | 'executed' | 'refused'): ResumeResult => ({
      committed: [],
      dropped: [],
      pending: [],
      mismatched: [],
      batches: [
        {
          nearAccountId: 'a.testnet',
          createdAt: 1,
          transactions: [{ transactionId: 'abc', receiverId: 'b.testnet', fate }],
        },
      ],
    });
    const endAfter = (resumed: ResumeResult | undefined) =>
      transactionDetails(followed(unknown, resumed), explorer).end;
    expect([undefined, after('unknown'), after('executed'), after('refused')].map(endAfter)).toEqual([
      'Not known yet',
      'Not known yet',
      'Final',
      'Refused',
    ]);
  });

  it('is not known yet when the wallet page stopped after it was sent', () => {
    const details = { fate: 'unknown', transactionId: 'abc' };
    const stopped = unknownResult(errorFrom({ code: 'REQUEST_TIMEOUT', message: 'stopped', details }));
    expect(stopped && transactionDetails(stopped, explorer)).toMatchObject({
      id: 'abc',
      end: 'Not known yet',
    });
    expect(unknownResult(errorFrom({ code: 'CANCELLED', message: 'no' }))).toBeUndefined();
  });
});
