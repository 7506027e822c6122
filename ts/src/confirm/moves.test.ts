import { describe, expect, it } from 'vitest';
import { movesOfMessage, movesSayAll, type TokenMove, tokenMoves } from './moves.js';

const of = (methodName: string, args: unknown, deposit = '1') =>
  tokenMoves({
    receiverId: 'token.near',
    actions: [
      {
        type: 'FunctionCall',
        methodName,
        args: typeof args === 'string' ? args : JSON.stringify(args),
        gas: '1',
        deposit,
      },
    ],
  });
const ofBytes = (methodName: string, args: Uint8Array) =>
  tokenMoves({
    receiverId: 'token.near',
    actions: [{ type: 'FunctionCall', methodName, args, gas: '1', deposit: '1' }],
  });
const to = { receiver_id: 'mallory.near' };
const send = { does: 'send', token: 'token.near', receiverId: 'mallory.near' } as const;

describe('the token moves of a call (core 2)', () => {
  it('are unreadable where its arguments are bytes, and those of no argument where there are none', () => {
    expect(ofBytes('ft_transfer', Uint8Array.of(0, 255))).toMatchObject([{ does: 'unreadable' }]);
    expect(ofBytes('near_deposit', Uint8Array.of(0))).toMatchObject([{ does: 'unreadable' }]);
    expect(ofBytes('near_deposit', new Uint8Array())).toMatchObject([{ does: 'wrap', amount: '1' }]);
  });

  it.each<[string, unknown, readonly Partial<TokenMove>[]]>([
    ['ft_transfer', { ...to, amount: '5', memo: null }, [{ ...send, amount: '5' }]],
    ['ft_transfer_call', { ...to, amount: '5', msg: '' }, [{ ...send, amount: '5', hasMessage: true }]],
    ['nft_transfer', { ...to, token_id: '7' }, [{ ...send, tokenId: '7' }]],
    ['nft_transfer', { ...to, token_id: '7', msg: null }, [{ ...send, tokenId: '7' }]],
    ['nft_transfer_call', { ...to, token_id: '7', msg: 'm' }, [{ ...send, tokenId: '7', hasMessage: true }]],
    ['nft_transfer_payout', { ...to, token_id: '7' }, [{ ...send, tokenId: '7' }]],
    [
      'nft_approve',
      { account_id: 'mallory.near', token_id: '7' },
      [{ ...send, does: 'approve', tokenId: '7' }],
    ],
    ['mt_transfer', { ...to, token_id: 'gold', amount: '5' }, [{ ...send, tokenId: 'gold', amount: '5' }]],
    [
      'mt_transfer_call',
      { ...to, token_id: 'nep141:usdc.near', amount: '5', msg: 'm' },
      [{ ...send, token: 'usdc.near', amount: '5', hasMessage: true }],
    ],
    [
      'mt_transfer',
      { ...to, token_id: 'nep141:', amount: '5' },
      [{ ...send, tokenId: 'nep141:', amount: '5' }],
    ],
    [
      'mt_batch_transfer',
      { ...to, token_ids: ['a', 'b'], amounts: ['1', '2'] },
      [
        { ...send, tokenId: 'a', amount: '1' },
        { ...send, tokenId: 'b', amount: '2' },
      ],
    ],
    [
      'mt_batch_transfer_call',
      { ...to, token_ids: ['a'], amounts: ['1'], msg: 'm' },
      [{ ...send, tokenId: 'a', amount: '1', hasMessage: true }],
    ],
    [
      'mt_approve',
      { account_id: 'mallory.near', token_ids: ['a'], amounts: ['1'] },
      [{ ...send, does: 'approve', tokenId: 'a', amount: '1' }],
    ],
    [
      'mt_approve',
      { account_id: 'mallory.near', token_ids: ['a'] },
      [{ ...send, does: 'approve', tokenId: 'a' }],
    ],
    [
      'ft_withdraw',
      { ...to, token: 'usdc.near', amount: '5' },
      [{ ...send, does: 'withdraw', token: 'usdc.near', amount: '5' }],
    ],
    [
      'nft_withdraw',
      { ...to, token: 'art.near', token_id: '7' },
      [{ ...send, does: 'withdraw', token: 'art.near', tokenId: '7' }],
    ],
    [
      'mt_withdraw',
      { ...to, token: 'game.near', token_ids: ['a'], amounts: ['1'] },
      [{ ...send, does: 'withdraw', token: 'game.near', tokenId: 'a', amount: '1' }],
    ],
    ['near_deposit', {}, [{ does: 'wrap', token: 'token.near', amount: '9' }]],
    ['near_deposit', ' ', [{ does: 'wrap', token: 'token.near', amount: '9' }]],
    ['near_deposit', '', [{ does: 'wrap', token: 'token.near', amount: '9' }]],
    ['near_withdraw', { amount: '5' }, [{ does: 'unwrap', token: 'token.near', amount: '5' }]],
    ['storage_deposit', { account_id: null }, [{ does: 'pay-storage', token: 'token.near', amount: '9' }]],
    ['storage_deposit', {}, [{ does: 'pay-storage', token: 'token.near', amount: '9' }]],
    [
      'storage_deposit',
      { account_id: 'bob.near', registration_only: true },
      [{ does: 'pay-storage', token: 'token.near', amount: '9', receiverId: 'bob.near' }],
    ],
    ['storage_unregister', { force: true }, [{ does: 'destroy', token: 'token.near' }]],
    ['storage_unregister', {}, [{ does: 'close-storage', token: 'token.near' }]],
    ['storage_unregister', { force: null }, [{ does: 'close-storage', token: 'token.near' }]],
    ['storage_withdraw', { amount: null }, [{ does: 'take-storage', token: 'token.near' }]],
    ['storage_withdraw', { amount: '5' }, [{ does: 'take-storage', token: 'token.near', amount: '5' }]],
    ['burn', { amount: '5' }, [{ does: 'destroy', token: 'token.near', amount: '5' }]],
    ['ft_burn', { amount: '5' }, [{ does: 'destroy', token: 'token.near', amount: '5' }]],
    ['nft_burn', { token_id: '7' }, [{ does: 'destroy', token: 'token.near', tokenId: '7' }]],
    ['mt_burn', { token_ids: ['a'] }, [{ does: 'destroy', token: 'token.near', tokenId: 'a' }]],
    [
      'mt_burn',
      { token_ids: ['a', 'b'], amounts: ['1', '2'] },
      [
        { does: 'destroy', token: 'token.near', tokenId: 'a', amount: '1' },
        { does: 'destroy', token: 'token.near', tokenId: 'b', amount: '2' },
      ],
    ],
    ['deposit_and_stake', {}, [{ does: 'stake', token: 'token.near', amount: '9' }]],
    ['stake', { amount: '5' }, [{ does: 'stake', token: 'token.near', amount: '5' }]],
    ['stake_all', {}, [{ does: 'stake', token: 'token.near' }]],
    ['unstake', { amount: '5' }, [{ does: 'unstake', token: 'token.near', amount: '5' }]],
    ['unstake_all', {}, [{ does: 'unstake', token: 'token.near' }]],
  ])('%s %j', (method, args, moves) => {
    expect(of(method, args, '9')).toStrictEqual(
      moves.map((move) => ({ ...move, contractId: 'token.near', method })),
    );
  });

  it.each<[string, string, unknown]>([
    ['text that is no JSON', 'ft_transfer', '{"receiver_id":'],
    ['arguments that are no object', 'ft_transfer', '[]'],
    ['an amount that is a number', 'ft_transfer', { ...to, amount: 5 }],
    ['an amount with a sign', 'ft_transfer', { ...to, amount: '-5' }],
    ['no receiver', 'ft_transfer', { amount: '5' }],
    ['a receiver that is no text', 'ft_transfer', { receiver_id: 7, amount: '5' }],
    ['a token without a receiver', 'nft_transfer', { token_id: '7' }],
    ['a token id that is a number', 'nft_transfer', { ...to, token_id: 7 }],
    ['an approval of no account', 'mt_approve', { token_ids: ['a'], amounts: ['1'] }],
    ['an approval of no token', 'mt_approve', { account_id: 'mallory.near' }],
    ['an approval of a number', 'nft_approve', { account_id: 'mallory.near', token_id: 7 }],
    [
      'an approval of an amount that is a number',
      'mt_approve',
      { account_id: 'mallory.near', token_ids: ['a'], amounts: [1] },
    ],
    [
      'an approval of lists of different lengths',
      'mt_approve',
      { account_id: 'mallory.near', token_ids: ['a', 'b'], amounts: ['1'] },
    ],
    ['a withdrawal that names no contract', 'ft_withdraw', { ...to, amount: '5' }],
    ['a withdrawal without an amount', 'ft_withdraw', { ...to, token: 'usdc.near' }],
    ['tokens without a receiver', 'mt_batch_transfer', { token_ids: ['a'], amounts: ['1'] }],
    ['token ids that are no list', 'mt_batch_transfer', { ...to, token_ids: 'a', amounts: ['1'] }],
    ['amounts that are no list', 'mt_batch_transfer', { ...to, token_ids: ['a'], amounts: '1' }],
    ['one id that is a number', 'mt_batch_transfer', { ...to, token_ids: ['a', 1], amounts: ['1', '2'] }],
    ['one amount that is a number', 'mt_batch_transfer', { ...to, token_ids: ['a', 'b'], amounts: ['1', 2] }],
    ['a key that is named twice', 'ft_transfer', '{"receiver_id":"a.near","amount":"1","amount":"2"}'],
    [
      'a key that is named twice, once in escapes',
      'ft_transfer',
      '{"receiver_id":"a.near","amount":"1","\\u0061mount":"2"}',
    ],
    [
      'a key that is named twice further down',
      'ft_transfer',
      '{"receiver_id":"a.near","amount":"1","x":[{"a":1,"a":2}]}',
    ],
    ['lists of different lengths', 'mt_batch_transfer', { ...to, token_ids: ['a', 'b'], amounts: ['1'] }],
    ['more amounts than tokens', 'mt_batch_transfer', { ...to, token_ids: ['a'], amounts: ['1', '2'] }],
    ['empty lists', 'mt_batch_transfer', { ...to, token_ids: [], amounts: [] }],
    ['a storage account that is no text', 'storage_deposit', { account_id: 7 }],
    ['signed intents', 'execute_intents', { signed: [] }],
    ['a force that is no boolean', 'storage_unregister', { force: 'true' }],
    ['a burn that names nothing', 'burn', {}],
    ['a burn of one and of several', 'mt_burn', { token_id: 'a', token_ids: ['b'], amounts: ['1'] }],
    ['a burn of lists of different lengths', 'mt_burn', { token_ids: ['a', 'b'], amounts: ['1'] }],
    ['a burn of one and of amounts', 'mt_burn', { token_id: 'a', amounts: ['1'] }],
    ['a burn of several by one amount', 'mt_burn', { token_ids: ['a'], amount: '1' }],
    ['a burn of ids that are no list', 'mt_burn', { token_ids: 'a' }],
    ['a burn of amounts that are no list', 'mt_burn', { token_ids: ['a'], amounts: '1' }],
    ['a burn of amounts alone', 'burn', { amounts: ['1'] }],
    ['a burn of a token id that is a number', 'nft_burn', { token_id: 7 }],
    ['a burn of an amount that is a number', 'ft_burn', { amount: 5 }],
    ['a storage amount that is a number', 'storage_withdraw', { amount: 5 }],
    ['an unstaking without an amount', 'unstake', {}],
    ['a withdrawal of no standard', 'withdraw', { amount: '5' }],
    ['an allowance of no standard', 'ft_approve', { spender: 'mallory.near', amount: '5' }],
    ['an approval for all', 'nft_set_approval_for_all', { operator: 'mallory.near', approved: true }],
  ])('are unreadable for %s', (_, method, args) => {
    expect(of(method, args)).toEqual([
      { does: 'unreadable', token: 'token.near', contractId: 'token.near', method },
    ]);
  });

  it('are read from the arguments that the method takes, whatever others a host adds', () => {
    const own = { token_id: 'crown', token_ids: ['crown'], amount: '9', amounts: ['9'] };
    const decoys = { token_id: 'pebble', token_ids: ['pebble'], amount: '1', amounts: ['1'] };
    const reads: readonly (readonly [method: string, ...names: (keyof typeof own)[]])[] = [
      ['nft_approve', 'token_id'],
      ['mt_approve', 'token_ids', 'amounts'],
      ['nft_transfer', 'token_id'],
      ['mt_transfer', 'token_id', 'amount'],
      ['mt_batch_transfer', 'token_ids', 'amounts'],
    ];
    for (const [method, ...names] of reads) {
      const named = Object.fromEntries(names.map((name) => [name, own[name]]));
      const [move, ...more] = of(method, { ...to, account_id: 'mallory.near', ...decoys, ...named });
      expect(more).toEqual([]);
      expect(move).toMatchObject({ tokenId: 'crown' });
      expect(move?.amount).toBe(method.startsWith('nft_') ? undefined : '9');
    }
  });

  it('are none for an action that calls nothing', () => {
    const actions = [{ type: 'Transfer', amount: '1', methodName: 'near_deposit', args: '' } as const];
    expect(tokenMoves({ receiverId: 'token.near', actions })).toEqual([]);
  });

  it('are none for another method, also one that an object has by birth', () => {
    for (const method of ['vote', 'constructor', '__proto__', 'FT_TRANSFER'])
      expect(of(method, { ...to, amount: '5' })).toEqual([]);
  });

  it('are read at any depth of nesting, in the same time', () => {
    const deep = `{"receiver_id":"mallory.near","amount":"5","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect(of('ft_transfer', deep)).toMatchObject([{ amount: '5' }]);
  });

  it('count a colon and a quote inside of a text as text', () => {
    const args = { ...to, amount: '5', memo: 'a:"b\\":c' };
    expect(of('ft_transfer', args)).toMatchObject([{ does: 'send', amount: '5' }]);
  });
});

describe('the moves that a message allows (core 2)', () => {
  const moves = (intents: unknown) => movesOfMessage(JSON.stringify({ intents }), 'intents.near');

  it('are those of its intents', () => {
    expect(
      moves([
        { intent: 'transfer', ...to, tokens: { 'nep141:usdc.near': '5', 'nep171:art.near:7': '1' } },
        { intent: 'token_diff', diff: { 'nep141:usdc.near': '-5', 'nep141:wrap.near': '2' } },
        { intent: 'ft_withdraw', token: 'usdc.near', ...to, amount: '5' },
      ]),
    ).toMatchObject([
      { does: 'send', token: 'usdc.near', amount: '5', receiverId: 'mallory.near', method: 'transfer' },
      { does: 'send', token: 'intents.near', tokenId: 'nep171:art.near:7', amount: '1' },
      { does: 'send', token: 'usdc.near', amount: '5', method: 'token_diff' },
      { does: 'withdraw', token: 'usdc.near', amount: '5', receiverId: 'mallory.near' },
    ]);
  });

  it('are unreadable for any other intent, also one that adds a key', () => {
    for (const intent of [{ intent: 'add_public_key', public_key: 'k' }, { intent: 'auth_call' }, 'x', null])
      expect(moves([intent])).toMatchObject([{ does: 'unreadable' }]);
    expect(moves(['x'])).toMatchObject([{ method: '' }]);
  });

  it('are unreadable for a key that the message names twice, in whichever intent', () => {
    const clear = '{"intent":"transfer","receiver_id":"bob.near","tokens":{"a":"1"}}';
    const twice =
      '{"intent":"transfer","receiver_id":"bob.near","receiver_id":"mallory.near","tokens":{"a":"1"}}';
    expect(movesOfMessage(`{"intents":[${clear}]}`, 'i')).toMatchObject([{ does: 'send' }]);
    const unreadable = { does: 'unreadable' };
    expect(movesOfMessage(`{"intents":[${clear},${twice}]}`, 'i')).toMatchObject([unreadable, unreadable]);
  });

  it.each<[string, object]>([
    ['a transfer without a receiver', { intent: 'transfer', tokens: { a: '1' } }],
    ['a transfer of nothing', { intent: 'transfer', ...to }],
    ['a transfer of null', { intent: 'transfer', ...to, tokens: null }],
    ['a transfer of a list', { intent: 'transfer', ...to, tokens: ['5'] }],
    ['a transfer of a text', { intent: 'transfer', ...to, tokens: '5' }],
    ['a transfer of an amount that is a number', { intent: 'transfer', ...to, tokens: { a: '1', b: 2 } }],
    ['an offer of nothing', { intent: 'token_diff' }],
    ['an offer of a number', { intent: 'token_diff', diff: { a: -5 } }],
    ['an offer with another sign', { intent: 'token_diff', diff: { a: '~5' } }],
    ['an offer that only takes', { intent: 'token_diff', diff: { a: '5' } }],
  ])('are unreadable for %s', (_, intent) => {
    expect(moves([intent])).toMatchObject([{ does: 'unreadable', token: 'intents.near' }]);
  });

  it('are none for a message that is no list of intents', () => {
    for (const message of ['hello', '{}', 'null', '{"intents":{}}', '7'])
      expect(movesOfMessage(message, 'intents.near')).toBeUndefined();
  });
});

describe('The moves of a call', () => {
  const sayAll = (methodName: string, args: object | string | Uint8Array) =>
    movesSayAll('token.near', {
      type: 'FunctionCall',
      methodName,
      args: typeof args === 'string' || args instanceof Uint8Array ? args : JSON.stringify(args),
      gas: '1',
      deposit: '1',
    });

  it.each<[string, object | string]>([
    ['ft_transfer', { ...to, amount: '5' }],
    ['nft_transfer', { ...to, token_id: '7' }],
    ['mt_transfer', { ...to, token_id: 'gold', amount: '5' }],
    ['storage_deposit', { account_id: 'bob.near' }],
    ['storage_unregister', { force: true }],
    ['near_withdraw', { amount: '5' }],
    ['unstake_all', ''],
  ])('say everything of %s with its own arguments', (method, args) => {
    expect(sayAll(method, args)).toBe(true);
  });

  it.each<[string, string, object | string | Uint8Array]>([
    ['a text', 'ft_transfer', { ...to, amount: '5', memo: 'hello' }],
    ['a message', 'ft_transfer_call', { ...to, amount: '5', msg: '' }],
    ['another key', 'ft_transfer', { ...to, amount: '5', also: null }],
    ['a key named twice', 'ft_transfer', '{"receiver_id":"a.near","amount":"5","amount":"6"}'],
    ['an amount that is no number', 'ft_transfer', { ...to, amount: 'all' }],
    ['bytes', 'ft_transfer', Uint8Array.of(1)],
    ['an approval', 'nft_approve', { account_id: 'mallory.near', token_id: '7' }],
    ['a method without a standard', 'withdraw', {}],
    ['an unknown method', 'constructor', {}],
  ])('leave something unsaid: %s', (_, method, args) => {
    expect(sayAll(method, args)).toBe(false);
  });
});
