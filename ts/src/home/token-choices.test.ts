import { describe, expect, it } from 'vitest';
import type { ActivityEntry } from '../storage/activity.js';
import { receivedOf, tokenChoices, withAdded, withHidden, withReceived } from './token-choices.js';

const moved = (receiverId: string, methodName: string): ActivityEntry => ({
  transactionId: receiverId,
  at: 1,
  receiverId,
  actions: [{ type: 'FunctionCall', methodName, deposit: '1' }],
  more: 0,
  fate: 'executed',
});

describe('the tokens that the page lists', () => {
  it('are those of the operator, of the user, and those that the account moved, each once', () => {
    const stored = withAdded(withAdded(undefined, 'own.near'), 'coin.near');
    const activity = [
      moved('coin.near', 'ft_transfer'),
      moved('wrap.near', 'near_deposit'),
      moved('app.near', 'vote'),
    ];
    expect(tokenChoices(stored, ['usdt.near'], activity).contractIds).toEqual([
      'usdt.near',
      'own.near',
      'coin.near',
      'wrap.near',
    ]);
  });

  it('lack what the user hid, until it is added again', () => {
    const hidden = withHidden(withAdded(undefined, 'coin.near'), 'coin.near');
    const activity = [moved('coin.near', 'ft_transfer')];
    expect(tokenChoices(hidden, ['coin.near'], activity)).toEqual({ contractIds: [], hidden: ['coin.near'] });
    expect(tokenChoices(withAdded(hidden, 'coin.near'), [], []).contractIds).toEqual(['coin.near']);
  });

  it('are few, and records that are damaged or of another version count as none', () => {
    let stored: unknown;
    for (let index = 0; index < 70; index += 1) stored = withAdded(stored, `t${index}.near`);
    expect(tokenChoices(stored, [], []).contractIds).toHaveLength(60);
    for (const bad of [
      null,
      'x',
      { version: 2, added: ['a.near'], hidden: [] },
      { version: 1, added: ['<b>'], hidden: [] },
    ])
      expect(tokenChoices(bad, [], []).contractIds).toEqual([]);
  });
});

describe('what came in', () => {
  const came = (aboveBlock: number, more: object = {}) => ({
    amount: '5',
    at: aboveBlock,
    aboveBlock,
    upToBlock: aboveBlock + 1,
    ...more,
  });

  it('is kept, the newest first, and not without end', () => {
    let stored: unknown;
    for (let at = 0; at < 70; at += 1) stored = withReceived(stored, came(at));
    expect(receivedOf(stored)).toHaveLength(60);
    expect(receivedOf(stored)[0]).toMatchObject({ at: 69 });
    expect(receivedOf({ version: 1, entries: [came(1, { amount: '-5' })] })).toEqual([]);
  });

  it('is one entry where two tabs notice it, whichever looks first and however long after', () => {
    const stored = withReceived(withReceived(undefined, came(10)), came(12, { amount: '7' }));
    expect(receivedOf(withReceived(stored, came(8, { amount: '12', upToBlock: 20 })))).toHaveLength(2);
    expect(receivedOf(withReceived(stored, came(13)))).toHaveLength(3);
    expect(receivedOf(withReceived(stored, came(10, { contractId: 'coin.near' })))).toHaveLength(3);
  });
});
