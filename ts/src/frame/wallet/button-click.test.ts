import { describe, expect, it } from 'vitest';
import type { Confirmer, ConfirmModel, TransactionsConfirmModel } from '../../confirm/port.js';
import type { Preview } from '../../flows/signing/preview.js';
import type { TransactionRequest } from '../../types.js';
import { ButtonClick, confirmerWithButton } from './button-click.js';

const request = { accountId: 'alice.testnet', digest: '9j30Wo0FabKgZPM9gwLTw9VMbRv3cBKUp1ntODveguQ' };
/** What the button showed next to the transactions. */
const preview: Preview = {
  cost: { gas: '2', deposit: '1', total: '3', available: '10' },
  recipients: [{ accountId: 'bob.testnet', isNew: true }],
  tokens: [{ contractId: 'token.testnet', symbol: 'TKN', decimals: 6 }],
};
const shown = { ...request, preview };
const model: TransactionsConfirmModel = {
  kind: 'transactions',
  ...request,
  ...preview,
  rpId: 'wallet.example',
  networkId: 'testnet',
  uiMode: 'modal',
  behavior: 'requireClick',
  autoProceedDelayMs: 0,
  theme: 'light',
  transactions: [{ receiverId: 'bob.testnet', actions: [{ type: 'Transfer', amount: '1' }] }],
};
const callOf = (methodName: string, args: object): TransactionRequest => ({
  receiverId: 'token.testnet',
  actions: [
    { type: 'FunctionCall', methodName, args: JSON.stringify(args), gas: '30000000000000', deposit: '1' },
  ],
});
const seen = { isFramed: true, tracksVisibility: true, isTrustedHost: false };

function confirming(at = seen) {
  const asked: ConfirmModel[] = [];
  const own: Confirmer = {
    show: async (each) => {
      asked.push(each);
      return 'cancel';
    },
  };
  const click = new ButtonClick();
  const confirmer = confirmerWithButton(own, click, at);
  const show = (each: ConfirmModel = model) => confirmer.show(each, new AbortController().signal);
  return { asked, click, show };
}

describe("A click on the wallet's transaction button (button 10)", () => {
  it('answers the confirmation of what it showed, and no second one', async () => {
    const { asked, click, show } = confirming();
    const answers = await click.during(shown, async () => [await show(), await show()]);
    expect(answers).toEqual(['confirm', 'cancel']);
    expect(asked).toHaveLength(1);
  });

  it('answers the confirmation of tokens that it showed by their own names, to recipients that it marked', async () => {
    const transactions = [callOf('ft_transfer', { receiver_id: 'bob.testnet', amount: '5' })];
    const { asked, click, show } = confirming();
    expect(await click.during(shown, () => show({ ...model, transactions }))).toBe('confirm');
    expect(asked).toEqual([]);
  });

  it('does not answer where it showed a recipient as known and the confirmation calls it new', async () => {
    const known = { ...preview, recipients: [{ accountId: 'bob.testnet', isNew: false }] };
    const { click, show } = confirming();
    expect(await click.during({ ...shown, preview: known }, () => show())).toBe('cancel');
    expect(await click.during(shown, () => show({ ...model, ...known }))).toBe('confirm');
  });

  it('does not answer where the chain did not answer before the click', async () => {
    const { click, show } = confirming();
    expect(await click.during({ ...shown, preview: {} }, () => show())).toBe('cancel');
  });

  it('answers none before it, and none after its request has ended', async () => {
    const { click, show } = confirming();
    expect(await show()).toBe('cancel');
    await click.during(shown, async () => undefined);
    expect(await show()).toBe('cancel');
    await expect(click.during(shown, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await show()).toBe('cancel');
  });

  it.each<[string, ConfirmModel]>([
    ['other transactions', { ...model, digest: shown.digest.toLowerCase() }],
    ['another account', { ...model, accountId: 'mallory.testnet' }],
    ['another try after a failed prompt', { ...model, retry: 'timeout' }],
    [
      'a payment that may be a second one',
      { ...model, repeats: [{ transactionId: null, receiverId: 'bob.testnet', sentAt: 1 }] },
    ],
    [
      'a recipient that looks like another',
      { ...model, recipients: [{ accountId: 'b0b.testnet', isNew: true, looksLike: 'bob.testnet' }] },
    ],
    [
      'a device that is removed',
      {
        ...model,
        removes: [{ deviceNumber: 2, registeredAt: 1, passkeyName: 'alice.testnet (2)', isCurrent: false }],
      },
    ],
    [
      'a recipient that the button did not show',
      { ...model, recipients: [{ accountId: 'eve.testnet', isNew: false }] },
    ],
    [
      'a token whose decimals the button showed otherwise',
      { ...model, tokens: [{ contractId: 'token.testnet', symbol: 'TKN', decimals: 18 }] },
    ],
    [
      'a cost above the one that the button showed',
      { ...model, cost: { gas: '3', deposit: '1', total: '4' } },
    ],
    ['a cost above the balance', { ...model, cost: { gas: '2', deposit: '1', total: '3', available: '2' } }],
    [
      'a call that lets another account take tokens',
      { ...model, transactions: [callOf('nft_approve', { account_id: 'bob.testnet', token_id: '5' })] },
    ],
    [
      'tokens that cannot be listed',
      { ...model, transactions: [callOf('ft_transfer', { to: 'bob.testnet' })] },
    ],
    [
      'a stake',
      {
        ...model,
        transactions: [
          {
            receiverId: 'alice.testnet',
            actions: [{ type: 'Stake', stake: '1', publicKey: 'ed25519:11111111111111111111111111111111' }],
          },
        ],
      },
    ],
    ['a delegate', { ...model, delegate: { relay: null, validForBlocks: 100 } }],
    [
      'a registration',
      {
        kind: 'registration',
        deviceNumber: 1,
        ...request,
        rpId: '',
        networkId: '',
        uiMode: 'modal',
        behavior: 'requireClick',
        autoProceedDelayMs: 0,
        theme: 'dark',
      },
    ],
  ])('does not answer the confirmation of %s', async (_, other) => {
    const { asked, click, show } = confirming();
    expect(await click.during(shown, () => show(other))).toBe('cancel');
    expect(asked).toEqual([other]);
  });

  it("does not count where the browser cannot tell that the frame is covered: the wallet's own window asks", async () => {
    const hidden = { ...seen, tracksVisibility: false };
    const { click, show } = confirming(hidden);
    expect(await click.during(shown, () => show())).toBe('cancel');
    const trusted = confirming({ ...hidden, isTrustedHost: true });
    expect(await trusted.click.during(shown, () => trusted.show())).toBe('confirm');
  });
});
