import type { Action, Nep413ConfirmModel, TransactionsConfirmModel } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { call } from '../testing/actions.js';
import { englishConfirm } from '../texts/english-confirm.js';
import { headlineOf, leadOf } from './headline.js';

const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const YOCTO = '0'.repeat(24);
const base = {
  accountId: 'alice.testnet',
  rpId: 'wallet.test',
  networkId: 'testnet',
  digest: '9j30Wo0FabKgZPM9gwLTw9VMbRv3cBKUp1ntODveguQ',
  uiMode: 'modal',
  behavior: 'requireClick',
  autoProceedDelayMs: 0,
  theme: 'dark',
} as const;

/** The title as it reads, and the button. */
function said(model: TransactionsConfirmModel | Nep413ConfirmModel): [string, string] {
  const { title, verb, ...values } = headlineOf(model, englishConfirm);
  return [title.replace(/\{(\w+)\}/g, (_, name) => values[name as keyof typeof values] ?? '?'), verb];
}
const asking = (
  actions: Action[],
  more: Partial<TransactionsConfirmModel> = {},
): TransactionsConfirmModel => ({
  ...base,
  kind: 'transactions',
  transactions: [{ receiverId: 'bob.testnet', actions }],
  ...more,
});
const saying = (message: string, more: Partial<Nep413ConfirmModel> = {}): Nep413ConfirmModel => ({
  ...base,
  kind: 'nep413',
  message,
  recipient: 'guestbook.testnet',
  nonce: 'AAAA',
  ...more,
});
const pay = (amount: string): Action => ({ type: 'Transfer', amount });
const tokens = { receiver_id: 'bob.testnet', amount: '5' };
const ownKey = { type: 'DeleteKey', publicKey: KEY } as const;

describe('the title and the button of transactions', () => {
  it.each<[string, string, Action]>([
    ['Send 1.5 NEAR', 'Send', pay(`15${YOCTO.slice(1)}`)],
    ['Send 7 yoctoNEAR', 'Send', pay('7')],
    ['Send NEAR', 'Send', pay('much')],
    ['Stake 5 NEAR', 'Stake', { type: 'Stake', stake: `5${YOCTO}`, publicKey: KEY }],
    ['Call vote', 'Call', call('vote', {})],
    ['Call vote with 2 NEAR', 'Call', call('vote', {}, `2${YOCTO}`)],
    ['Send tokens', 'Send', call('ft_transfer', tokens)],
    ['Destroy tokens', 'Destroy', call('ft_burn', { amount: '5' })],
    [
      'Add a full-access key',
      'Add key',
      { type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } },
    ],
    ['Remove an access key', 'Remove key', ownKey],
    ['Delete this account', 'Delete account', { type: 'DeleteAccount', beneficiaryId: 'eve.testnet' }],
  ])('say what the one action does: %s, %s [S11]', (title, verb, action) => {
    expect(said(asking([action]))).toEqual([title, verb]);
  });

  it('call a call with NEAR by its amount, whatever its method is named', () => {
    expect(said(asking([call('near_deposit', {}, `5${YOCTO}`)]))[0]).toBe('Call near_deposit with 5 NEAR');
    expect(said(asking([call('ft_transfer', tokens, `5${YOCTO}`)]))[0]).toBe('Call ft_transfer with 5 NEAR');
  });

  it('have no text of the request that could pass for words of the wallet', () => {
    for (const method of ['Transfer 0 NEAR', 'vote\u202e', 'x'.repeat(41), ''])
      expect(said(asking([call(method, {})]))[0]).toBe('Call a contract');
    expect(said(asking([call('pay me', {}, `2${YOCTO}`)]))[0]).toBe('Call a contract with 2 NEAR');
    expect(said(asking([call('vote', {}, 'nothing at all')]))[0]).toBe('Call vote');
  });

  it('say what an app gets in advance with its key, on the own account alone', () => {
    const permission = { GasKeyFunctionCall: { numNonces: 4, receiverId: 'app.testnet', methodNames: [] } };
    const add: Action = { type: 'AddKey', publicKey: KEY, accessKey: { permission } };
    const fill: Action = { type: 'TransferToGasKey', publicKey: KEY, deposit: `1${YOCTO.slice(1)}` };
    const own = (actions: Action[]) =>
      said(asking([], { transactions: [{ receiverId: base.accountId, actions }] }));
    expect(own([add, fill])).toEqual(['Give an app 0.1 NEAR for its calls', 'Add key']);
    const full: Action = { ...add, accessKey: { permission: { GasKeyFullAccess: { numNonces: 4 } } } };
    const another: Action = { ...fill, publicKey: `${KEY.slice(0, -1)}3` };
    for (const actions of [
      [full, fill],
      [add, another],
      [fill, add],
    ])
      expect(own(actions)[0]).toBe('Confirm 2 steps');
    expect(own([add, fill, pay('7')])[0]).toBe('Confirm 3 steps');
    expect(said(asking([add, fill]))[0]).toBe('Confirm 2 steps');
  });

  it('say the sum of several payments, and of calls that do nothing else', () => {
    const one = pay(`1${YOCTO}`);
    expect(said(asking([one, one]))).toEqual(['Send 2 NEAR in 2 payments', 'Send']);
    expect(said(asking([one, call('vote', {}, '0')]))).toEqual(['Send 1 NEAR in 2 steps', 'Confirm all']);
  });

  it('say that tokens are sent where the other step pays for the receiver’s storage alone', () => {
    const receiver = { receiver_id: 'bob.testnet', amount: '5' };
    const send = call('ft_transfer', receiver, '1');
    const storage = (args: object, deposit = '1250000000000000000000') =>
      call('storage_deposit', args, deposit);
    const bobs = { account_id: 'bob.testnet' };
    expect(said(asking([storage(bobs), send]))).toEqual(['Send tokens', 'Send']);
    for (const [first, second] of [
      [storage({ account_id: 'eve.testnet' }), send],
      [storage({}), send],
      [storage(bobs, `1${YOCTO}`), send],
      [storage(bobs, 'much'), send],
      [storage(bobs), call('ft_transfer', receiver, `5${YOCTO}`)],
      [storage(bobs), call('ft_transfer_call', { ...receiver, msg: '' }, '1')],
      [storage(bobs), call('nft_transfer', { receiver_id: 'bob.testnet', token_id: '1' }, '1')],
      [send, send],
    ] as const)
      expect(said(asking([first, second]))[0]).toBe('Confirm 2 steps');
    const elsewhere = [
      { receiverId: 'coin.testnet', actions: [storage(bobs)] },
      { receiverId: 'other.testnet', actions: [send] },
    ];
    expect(said(asking([], { transactions: elsewhere }))[0]).toBe('Confirm 2 steps');
    expect(said(asking([storage(bobs), send, send]))[0]).toBe('Confirm 3 steps');
  });

  it('say no sum where something else happens too', () => {
    const one = pay(`1${YOCTO}`);
    for (const other of [ownKey, call('ft_transfer', tokens), pay('much')] as Action[])
      expect(said(asking([one, other]))).toEqual(['Confirm 2 steps', 'Confirm all']);
    expect(said(asking([call('vote', {}), call('vote', {})]))[0]).toBe('Confirm 2 steps');
    expect(said(asking([]))).toEqual(['Confirm a transaction', 'Confirm']);
  });

  it('name a device that is removed, where the request does nothing else', () => {
    const removes = [{ deviceNumber: 2, registeredAt: 0, passkeyName: 'alice (2)', isCurrent: false }];
    const transactions = [
      { receiverId: 'registry.testnet', actions: [call('remove_authenticator', { credential_id: 'c' })] },
      { receiverId: 'alice.testnet', actions: [ownKey] },
    ];
    expect(said(asking([], { transactions, removes }))).toEqual(['Remove device 2', 'Remove']);
    for (const extra of [
      { receiverId: 'eve.testnet', actions: [pay('1')] },
      { receiverId: 'alice.testnet', actions: [ownKey] },
      { receiverId: 'eve.testnet', actions: [call('remove_authenticator', {}, `5${YOCTO}`)] },
    ])
      expect(said(asking([], { transactions: [...transactions, extra], removes }))[0]).toBe(
        'Confirm 3 steps',
      );
    const two = [...removes, ...removes];
    expect(said(asking([], { transactions, removes: two }))[0]).toBe('Confirm 2 steps');
  });

  it('say what is asked for, whatever of its own keys the wallet deletes with it', () => {
    const left = { receiverId: 'alice.testnet', actions: [ownKey] };
    const removal = {
      receiverId: 'registry.testnet',
      actions: [call('remove_authenticator', { credential_id: 'c' })],
    };
    const removes = [{ deviceNumber: 2, registeredAt: 0, passkeyName: 'alice (2)', isCurrent: false }];
    const transactions = [removal, left, left];
    expect(said(asking([], { transactions, removes, ownDeletions: 1 }))).toEqual([
      'Remove device 2',
      'Remove',
    ]);
    const payment = { receiverId: 'bob.testnet', actions: [pay(`1${YOCTO}`)] };
    expect(said(asking([], { transactions: [payment, left], ownDeletions: 1 }))[0]).toBe('Send 1 NEAR');
    const vote = { receiverId: 'bob.testnet', actions: [call('vote', {})] };
    expect(said(asking([], { transactions: [vote, removal, left], ownDeletions: 1 }))[0]).toBe(
      'Confirm 3 steps',
    );
  });

  it('name the recovery key by its own key alone', () => {
    const add = { type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } } as const;
    expect(said(asking([add], { recoveryKey: KEY }))).toEqual(['Add your recovery key', 'Add key']);
    expect(said(asking([add], { recoveryKey: 'ed25519:other' }))[0]).toBe('Add a full-access key');
  });
});

describe('the title, the button and the lead of a message', () => {
  it.each(['Sign in', 'Log in to the shop', 'Please sign in.', '  login', 'Sign me in'])(
    'are those of a login for the site that asks: %s',
    (message) => {
      expect(said(saying(message))).toEqual(['Sign in to guestbook.testnet', 'Sign in']);
    },
  );

  it('are those of any message where it says something else, says much, or is for another site', () => {
    const plain = ['Sign a message', 'Sign message'];
    expect(said(saying('I owe you 5 NEAR. Sign in'))).toEqual(plain);
    expect(said(saying(`Sign in ${'x'.repeat(300)}`))).toEqual(plain);
    expect(said(saying('Sign in', { isForAnother: true }))).toEqual(plain);
    expect(said(saying('Sign in', { recipient: 'the shop. It costs nothing' }))).toEqual(plain);
    expect(said(saying('Sign in', { recipient: 'https://shop.example' }))[0]).toBe('Sign in to shop.example');
    const bound = { chainId: 'testnet', path: [], timestamp: '2026-08-05T07:28:00Z', msg: 'x' };
    const asking = (change: object) =>
      said(
        saying('{}', { authorization: { ...bound, domain: 'shop.example', action: 'Log in', ...change } }),
      );
    expect(asking({})).toEqual(['Sign in to shop.example', 'Sign in']);
    expect(asking({ action: 'Pay' })).toEqual(plain);
    expect(asking({ domain: 'the shop. It costs nothing' })).toEqual(plain);
    expect(asking({ path: ['multisig.testnet'] })).toEqual(plain);
  });

  it('never call a message harmless that another site can use', () => {
    expect(leadOf(saying('Hello'), englishConfirm)).toContain('Moves nothing');
    expect(leadOf(saying('Hello', { isForAnother: true }), englishConfirm)).toBeUndefined();
  });
});
