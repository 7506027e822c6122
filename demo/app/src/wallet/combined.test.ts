import { describe, expect, it } from 'vitest';
import { combinedOf } from './combined.js';

const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const about = { accountId: 'alice.testnet', contractId: 'app.testnet', setAt: new Date(2026, 0, 2, 3, 4, 5) };
const none = { greeting: '', transfer: '', stake: '', validatorKey: KEY };
const of = (fields: Partial<typeof none>) => combinedOf({ ...none, ...fields }, about);

describe('a combined transaction (demo 5, demo 7, demo 9)', () => {
  it('has an action for each filled field: greeting and transfer for the contract, the stake for the account', () => {
    const { transactions, things } = of({ greeting: ' hi ', transfer: '0.001', stake: '0.1' });
    expect(transactions).toEqual([
      {
        receiverId: 'app.testnet',
        actions: [
          {
            type: 'FunctionCall',
            methodName: 'set_greeting',
            args: { greeting: `hi [updated: ${about.setAt.toLocaleTimeString()}]` },
            gas: '30000000000000',
            deposit: '0',
          },
          { type: 'Transfer', amount: '1000000000000000000000' },
        ],
      },
      {
        receiverId: 'alice.testnet',
        actions: [{ type: 'Stake', stake: '100000000000000000000000', publicKey: KEY }],
      },
    ]);
    expect(things).toEqual([
      { what: 'Greeting and 0.001 NEAR', recipient: 'app.testnet' },
      { what: 'Stake of 0.1 NEAR', recipient: 'alice.testnet' },
    ]);
  });

  it('leaves out empty fields and the amount 0', () => {
    expect(of({ transfer: '0', stake: '0.0' })).toEqual({ transactions: [], things: [] });
    expect(
      of({ greeting: '  ', transfer: '0', stake: '2' }).transactions.map((one) => one.receiverId),
    ).toEqual(['alice.testnet']);
    expect(of({ transfer: '1' }).transactions).toEqual([
      { receiverId: 'app.testnet', actions: [{ type: 'Transfer', amount: '1000000000000000000000000' }] },
    ]);
  });

  it('cuts an amount after the 24th decimal', () => {
    expect(of({ transfer: `0.${'0'.repeat(23)}19` }).transactions[0]?.actions).toEqual([
      { type: 'Transfer', amount: '1' },
    ]);
    expect(of({ transfer: `0.${'0'.repeat(24)}9` }).transactions).toEqual([]);
  });
});
