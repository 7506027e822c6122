import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LatchkeyError, NEAR_RPC_FAILED, STORAGE_FAILED, TRANSACTION_FAILED } from '../../errors/wallet.js';
import type { TransactionInput, TransactionRequest } from '../../types.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import { ALICE, type SignedIn, signIn } from '../testing/signed-in.js';
import { MOST_MET, markedRecipients } from './recipients.js';
import { signAndSendTransactions } from './sign-and-send.js';
import { signNEP413Message } from './sign-nep413.js';

const pay = (receiverId: string): TransactionInput & TransactionRequest => ({
  receiverId,
  actions: [{ type: 'Transfer', amount: '1' }],
});

let authenticator: VirtualAuthenticator;
let wallet: SignedIn;
beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  wallet = await signIn();
});
afterEach(async () => {
  await wallet.close();
  await authenticator.remove();
});

const marked = (...ids: string[]) => markedRecipients(wallet.context, ALICE, ids.map(pay));

describe('the recipients of payments (core 2)', () => {
  it('are new in the first confirmation and known in the next one, for this account alone [S13]', async () => {
    const { context, shown } = wallet;
    await signAndSendTransactions(context, ALICE, [pay('bob.testnet')], {});
    await signAndSendTransactions(context, ALICE, [pay('bob.testnet')], {});
    expect(shown).toMatchObject([
      { recipients: [{ accountId: 'bob.testnet', isNew: true }] },
      { recipients: [{ accountId: 'bob.testnet', isNew: false }] },
    ]);
    expect(await context.store.metRecipients('carol.testnet')).toEqual([]);
  });

  it('stay new after a payment that failed, and after one of unknown outcome', async () => {
    const { context, chain, shown } = wallet;
    for (const text of [TRANSACTION_FAILED, NEAR_RPC_FAILED]) {
      chain.onSend = async () => {
        throw new LatchkeyError(text);
      };
      await signAndSendTransactions(context, ALICE, [pay('bob.testnet')], {});
    }
    await signAndSendTransactions(context, ALICE, [pay('bob.testnet')], {});
    expect(shown.at(-1)).toMatchObject({ recipients: [{ accountId: 'bob.testnet', isNew: true }] });
  });

  it('stay new after a confirmation that was cancelled', async () => {
    const cancelling = await signIn({ show: async () => 'cancel' });
    await signAndSendTransactions(cancelling.context, ALICE, [pay('bob.testnet')], {});
    expect(await cancelling.context.store.metRecipients(ALICE)).toEqual([]);
    await cancelling.close();
  });

  it('that look like a known one, or like the account itself, are marked', async () => {
    await signAndSendTransactions(wallet.context, ALICE, [pay('bob.testnet')], {});
    expect(await marked('b0b.testnet', 'a1ice.w3a-v1.testnet', 'mallory.testnet')).toEqual([
      { accountId: 'b0b.testnet', isNew: true, looksLike: 'bob.testnet' },
      { accountId: 'a1ice.w3a-v1.testnet', isNew: true, looksLike: ALICE },
      { accountId: 'mallory.testnet', isNew: true },
    ]);
  });

  it('are those that a call moves tokens to, and the heir of a deleted account', async () => {
    const args = JSON.stringify({ receiver_id: 'mallory.testnet', amount: '5' });
    const call = { type: 'FunctionCall', methodName: 'ft_transfer', args, gas: '1', deposit: '1' } as const;
    const asked: TransactionRequest[] = [
      { receiverId: 'token.testnet', actions: [call] },
      { receiverId: ALICE, actions: [{ type: 'DeleteAccount', beneficiaryId: 'heir.testnet' }] },
      { receiverId: 'app.testnet', actions: [{ ...call, methodName: 'vote', deposit: '0' }] },
    ];
    const found = await markedRecipients(wallet.context, ALICE, asked);
    expect(found.map(({ accountId }) => accountId)).toEqual([
      'token.testnet',
      'mallory.testnet',
      'heir.testnet',
    ]);
  });

  it('are marked in a message too, where its intents move tokens to them', async () => {
    const { context, shown } = wallet;
    await signAndSendTransactions(context, ALICE, [pay('bob.testnet')], {});
    const tokens = { 'nep141:usdc.near': '5' };
    const intents = ['bob.testnet', 'b0b.testnet'].map((id) => ({
      intent: 'transfer',
      receiver_id: id,
      tokens,
    }));
    const params = { message: JSON.stringify({ intents }), recipient: 'intents.near' };
    expect(await signNEP413Message(context, ALICE, params, {})).toMatchObject({ success: true });
    expect(shown.at(-1)).toMatchObject({
      recipients: [
        { accountId: 'intents.near', isNew: true },
        { accountId: 'usdc.near', isNew: true },
        { accountId: 'bob.testnet', isNew: false },
        { accountId: 'b0b.testnet', isNew: true, looksLike: 'bob.testnet' },
      ],
    });
    await signNEP413Message(context, ALICE, { message: 'hello', recipient: 'shop.example' }, {});
    expect(shown.at(-1)).not.toHaveProperty('recipients');
  });

  it('are kept in a bounded number, the latest ones [S13]', async () => {
    const { store } = wallet.context;
    const many = Array.from({ length: MOST_MET }, (_, index) => `r${index}.testnet`);
    await store.meetRecipients(ALICE, many, MOST_MET);
    await store.meetRecipients(ALICE, ['r0.testnet', 'bob.testnet'], MOST_MET);
    const met = await store.metRecipients(ALICE);
    expect(met).toHaveLength(MOST_MET);
    expect(met.slice(-2)).toEqual(['r0.testnet', 'bob.testnet']);
    expect(met).not.toContain('r1.testnet');
  });

  it('are all new where the memory cannot be read', async () => {
    const { store } = wallet.context;
    await store.meetRecipients(ALICE, ['bob.testnet'], MOST_MET);
    const unreadable = {
      ...wallet.context,
      store: Object.assign(Object.create(store), {
        metRecipients: () => Promise.reject(new LatchkeyError(STORAGE_FAILED)),
      }),
    };
    expect(await markedRecipients(unreadable, ALICE, [pay('bob.testnet')])).toEqual([
      { accountId: 'bob.testnet', isNew: true },
    ]);
  });
});
