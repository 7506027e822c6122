import { describe, expect, it } from 'vitest';
import { transactionDetails } from './transaction-details.js';

const explorer = 'https://explorer.test';

describe('the latest transaction', () => {
  it('links to the explorer', () => {
    expect(transactionDetails({ success: true, transactionId: 'abc', result: null }, explorer)).toEqual({
      id: 'abc',
      link: 'https://explorer.test/transactions/abc',
      message: 'Success',
      success: true,
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
});
