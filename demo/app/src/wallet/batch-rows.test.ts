import { describe, expect, it } from 'vitest';
import { isBadAmount, thingsOf, transfersOf } from './batch-rows.js';
import { sentRows } from './sent-rows.js';

const row = (recipient: string, near: string, key = 0) => ({ key, recipient, near });

describe('several transfers', () => {
  it('become one transaction each, in yoctoNEAR', () => {
    expect(transfersOf([row(' bob.testnet ', '0.001'), row('carol.testnet', '2', 1)])).toEqual([
      { receiverId: 'bob.testnet', actions: [{ type: 'Transfer', amount: '1000000000000000000000' }] },
      { receiverId: 'carol.testnet', actions: [{ type: 'Transfer', amount: '2000000000000000000000000' }] },
    ]);
  });

  it('wait until every row is complete', () => {
    for (const missing of [row('', '1'), row('bob.testnet', ''), row('bob.testnet', '0'), row('b', '1e3')])
      expect(transfersOf([row('bob.testnet', '1'), missing])).toBeUndefined();
  });

  it('flag an amount that is not a positive number', () => {
    expect(['0', '-1', '1e3', 'one', '0.0'].filter((near) => !isBadAmount(near))).toEqual([]);
    expect(['', ' ', '0.001', '.5'].filter(isBadAmount)).toEqual([]);
  });

  it('show the outcome of each', () => {
    const rows = [row('bob.testnet', '1'), row('carol.testnet', '2', 1), row('dan.testnet', '3', 2)];
    const ends = sentRows(
      thingsOf(rows),
      [
        { success: true, transactionId: 'abc', result: null, fate: 'executed' },
        { success: false, transactionId: 'def', result: null, fate: 'failed', error: 'no such account' },
        { success: false, transactionId: null, result: null, fate: 'not-sent', error: 'stopped' },
      ],
      'https://explorer.test',
    );
    expect(
      ends.map(({ what, recipient, end, link, message }) => [what, recipient, end, link, message]),
    ).toEqual([
      ['1 NEAR', 'bob.testnet', 'Final', 'https://explorer.test/transactions/abc', 'Success'],
      [
        '2 NEAR',
        'carol.testnet',
        'Failed',
        'https://explorer.test/transactions/def',
        'Failed: no such account',
      ],
      ['3 NEAR', 'dan.testnet', 'Not sent', undefined, 'Failed: stopped'],
    ]);
  });
});
