// An account without a name by near-api-js, near-kit and near-connect: to them it is an account as any other.
import { Account } from 'near-api-js';
import { verifyMessage } from 'near-api-js/nep413';
import { NEAR } from 'near-api-js/tokens';
import { Near } from 'near-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectorCalls } from '../../ts/src/near-connect/connector-calls.js';
import { createNearKitWallet } from '../../ts/src/near-kit/index.js';
import { madeNameless } from './nameless.js';
import { openSigning, type Signing } from './near-api-js.js';

let signing: Signing;

beforeAll(async () => {
  signing = await openSigning('', madeNameless);
});
afterAll(() => signing?.close());

/** Pays the receiver once, as the one confirmation says. */
async function pays(receiverId: string, pay: () => Promise<unknown>): Promise<void> {
  const { transactions } = await signing.previewedBy(pay);
  expect(transactions).toMatchObject([{ receiverId, actions: [{ type: 'Transfer', amount: '7' }] }]);
}

test('near-api-js pays, and proves the account by a message', async () => {
  const { accountId, provider, signer } = signing;
  const receiverId = 'a'.repeat(64);
  const account = new Account(accountId, provider, signer);
  await pays(receiverId, () => account.transfer({ receiverId, amount: 7n, token: NEAR }));
  const message = { message: 'Hello', recipient: 'app.example', nonce: new Uint8Array(32).fill(1) };
  const signed = await account.signNep413Message(message);
  await verifyMessage({
    signerAccountId: accountId,
    signerPublicKey: signed.publicKey,
    signature: signed.signature,
    payload: message,
    provider,
  });
});

test('near-kit pays', async () => {
  const { accountId, manager: wallet, stack } = signing;
  const network = { rpcUrl: new URL('/admin/rpc', stack.chainUrl).href, networkId: 'testnet' };
  const near = new Near({ network, wallet: createNearKitWallet({ wallet, accountId }) });
  const receiverId = 'b'.repeat(64);
  await pays(receiverId, () => near.send(receiverId, '7 yocto'));
});

test('near-connect pays', async () => {
  const { accountId, manager: wallet } = signing;
  const connected = {
    read: async () => ({ accountId }),
    write: async () => undefined,
    clear: async () => undefined,
  };
  const calls = connectorCalls({ wallet: wallet as never, networkId: () => 'testnet', connected });
  const receiverId = 'c'.repeat(64);
  const transfer = { type: 'Transfer', params: { deposit: '7' } } as const;
  await pays(receiverId, () => calls.signAndSendTransaction({ receiverId, actions: [transfer] }));
});
