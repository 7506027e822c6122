import { describe, expect, it } from 'vitest';
import type { Action } from '../types.js';
import { MOST_ACTIONS, MOST_ENTRIES, noteFates, noteLeaving, readActivity } from './activity.js';

const ALICE = 'alice.testnet';
const transfer = (amount: string): Action => ({ type: 'Transfer', amount });

/** The two calls of the store that hold the records of one account. */
function kept(before?: unknown) {
  let value = before;
  return {
    stored: () => value,
    activity: async () => value,
    updateActivity: async (_accountId: string, change: (stored: unknown) => unknown) => {
      value = change(value);
    },
  };
}

const leaving = (transactionId: string, actions: readonly Action[] = [transfer('1')]) => ({
  accountId: ALICE,
  transactionId,
  receiverId: 'bob.testnet',
  actions: [...actions],
});

describe('what an account sent', () => {
  it('is not known when it leaves, and has its fate once that is known', async () => {
    const store = kept();
    await noteLeaving(store, leaving('a'));
    expect(await readActivity(store, ALICE)).toMatchObject([
      { transactionId: 'a', fate: 'unknown', receiverId: 'bob.testnet', actions: [transfer('1')], more: 0 },
    ]);
    await noteFates(store, ALICE, new Map([['a', 'executed']]));
    await noteFates(store, ALICE, new Map([['a', 'unknown']]));
    expect(await readActivity(store, ALICE)).toMatchObject([{ transactionId: 'a', fate: 'executed' }]);
  });

  it('is one entry where a copy replaces another, with the time of the first', async () => {
    const store = kept();
    await noteLeaving(store, leaving('a'));
    const [{ at } = { at: 0 }] = await readActivity(store, ALICE);
    await noteLeaving(store, leaving('other'));
    await noteLeaving(store, { ...leaving('b'), replaces: 'a' });
    expect((await readActivity(store, ALICE)).map((entry) => [entry.transactionId, entry.at])).toEqual([
      ['b', at],
      ['other', expect.any(Number)],
    ]);
  });

  it('is bounded: the oldest entries and the last actions are left out', async () => {
    const store = kept();
    for (let index = 0; index < MOST_ENTRIES + 3; index += 1) await noteLeaving(store, leaving(`t${index}`));
    const entries = await readActivity(store, ALICE);
    expect(entries).toHaveLength(MOST_ENTRIES);
    expect(entries[0]?.transactionId).toBe(`t${MOST_ENTRIES + 2}`);
    await noteLeaving(
      store,
      leaving(
        'many',
        Array.from({ length: MOST_ACTIONS + 2 }, () => transfer('1')),
      ),
    );
    expect((await readActivity(store, ALICE))[0]).toMatchObject({ more: 2 });
    expect((await readActivity(store, ALICE))[0]?.actions).toHaveLength(MOST_ACTIONS);
  });

  it('holds what a transfer of a token moves, and nothing of one that is not clear or of another kind', async () => {
    const store = kept();
    const call = (methodName: string, args: object) =>
      ({ type: 'FunctionCall', methodName, args: JSON.stringify(args), gas: '1', deposit: '1' }) as const;
    await noteLeaving(store, {
      ...leaving('a', [
        call('ft_transfer', { receiver_id: 'carol.testnet', amount: '5', memo: 'private' }),
        call('ft_transfer', { receiver_id: 'carol.testnet', amount: '9'.repeat(60) }),
        call('ft_transfer', { receiver_id: 'x'.repeat(300), amount: '5' }),
        call('nft_transfer', { receiver_id: 'carol.testnet', token_id: '7' }),
      ]),
      receiverId: 'coin.testnet',
    });
    const plain = { type: 'FunctionCall', methodName: 'ft_transfer', deposit: '1' };
    expect((await readActivity(store, ALICE))[0]?.actions).toEqual([
      { ...plain, token: { receiverId: 'carol.testnet', amount: '5' } },
      plain,
      plain,
      { ...plain, methodName: 'nft_transfer' },
    ]);
    expect(JSON.stringify(store.stored())).not.toContain('private');
  });

  it('holds no arguments of a call and no code of a contract', async () => {
    const store = kept();
    const call = {
      type: 'FunctionCall',
      methodName: 'm',
      args: '{"s":"private"}',
      gas: '1',
      deposit: '0',
    } as const;
    await noteLeaving(
      store,
      leaving('a', [call, { type: 'DeployContract', code: new Uint8Array([7, 7, 7]) }]),
    );
    expect(await readActivity(store, ALICE)).toMatchObject([
      {
        actions: [
          { type: 'FunctionCall', methodName: 'm', deposit: '0' },
          { type: 'Other', name: 'DeployContract' },
        ],
      },
    ]);
    expect(JSON.stringify(store.stored())).not.toMatch(/private|7,7/);
  });

  it('leaves the records of another version as they are, and drops an entry that does not fit', async () => {
    const newer = { version: 2, entries: [{ anything: true }] };
    const store = kept(newer);
    await noteLeaving(store, leaving('a'));
    expect(store.stored()).toEqual(newer);
    expect(await readActivity(store, ALICE)).toEqual([]);

    const damaged = kept({ version: 1, entries: [{ transactionId: 7 }, null] });
    await noteLeaving(damaged, leaving('a'));
    expect((await readActivity(damaged, ALICE)).map(({ transactionId }) => transactionId)).toEqual(['a']);
  });
});
