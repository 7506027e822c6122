import { describe, expect, it } from 'vitest';
import type { ActivityEntry } from '../storage/activity.js';
import { tokenChoices, withAdded, withHidden } from './token-choices.js';

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
    const newer = { version: 2, tokens: ['a.near'] };
    expect([withAdded(newer, 'b.near'), withHidden(newer, 'b.near')]).toEqual([newer, newer]);
  });
});
