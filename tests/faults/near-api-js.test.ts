// near-api-js itself over the wallet: the facade and its WASM in a page, the local chain behind it.
import type { PasskeyManager } from 'latchkey';
import {
  Account,
  actions,
  Contract,
  type JsonRpcProvider,
  KeyPair,
  nearToYocto,
  Transaction,
} from 'near-api-js';
import { verifyMessage } from 'near-api-js/nep413';
import { ContractMethodNotFoundError } from 'near-api-js/rpc-errors';
import { FungibleToken, NEAR } from 'near-api-js/tokens';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REGISTRY } from '../../dev/services/services.js';
import { LatchkeyAccount, type LatchkeySigner } from '../../ts/src/near-api-js/index.js';
import { openSigning, type Signing } from './near-api-js.js';

let signing: Signing;
let stack: Signing['stack'];
let provider: JsonRpcProvider;
let manager: PasskeyManager;
let signer: LatchkeySigner;
let signerWith: Signing['signerWith'];
let accountId: string;

/** How many confirmations the work showed. */
const prompts = async (work: () => Promise<unknown>): Promise<number> => (await signing.shownBy(work)).length;

beforeAll(async () => {
  signing = await openSigning('nak');
  ({ stack, provider, manager, signer, signerWith, accountId } = signing);
});
afterAll(() => signing?.close());

const KINDS = { Account, LatchkeyAccount };

describe.each(Object.entries(KINDS))('%s of near-api-js over the wallet (core 3)', (name, Kind) => {
  const account = () => new Kind(accountId, provider, signer);

  test('sends NEAR with one prompt', async () => {
    const receiverId = `${name
      .toLowerCase()
      .padEnd(64, '0')
      .replaceAll(/[^0-9a-f]/g, '0')}`;
    const send = () => account().transfer({ receiverId, amount: 7n, token: NEAR });
    expect(await prompts(send)).toBe(1);
    await expect.poll(() => stack.oracle.balance(receiverId)).toBe(7n);
  });

  test('calls a Contract, and returns what it returned', async () => {
    const contract = new Contract({ contractId: REGISTRY, provider });
    const greeting = `from ${name}`;
    const call = () => contract.call.set_greeting?.({ account: account(), args: { greeting } });
    expect(await prompts(async () => call())).toBe(1);
    await expect.poll(() => stack.oracle.greeting()).toBe(greeting);
  });

  test("reports a failed execution by near-api-js's own error", async () => {
    const token = new FungibleToken(REGISTRY, { name: 'None', symbol: 'NONE', decimals: 2 });
    const send = () => token.transfer({ from: account(), receiverId: 'testnet', amount: 1n });
    expect(await prompts(() => expect(send()).rejects.toBeInstanceOf(ContractMethodNotFoundError))).toBe(1);
  });

  test('adds a function-call key and deletes it', async () => {
    const publicKey = KeyPair.fromRandom('ed25519').getPublicKey();
    await account().addFunctionCallAccessKey({
      publicKey,
      contractId: REGISTRY,
      methodNames: ['set_greeting'],
    });
    await expect
      .poll(async () => (await provider.viewAccessKeyList({ accountId: accountId })).keys.length)
      .toBe(2);
    await account().deleteKey(publicKey);
    await expect
      .poll(async () => (await provider.viewAccessKeyList({ accountId: accountId })).keys.length)
      .toBe(1);
  });

  test('reports a cancelled prompt as one CANCELLED', async () => {
    const options = { signal: AbortSignal.abort() };
    const cancelled = signerWith({
      signTransactionsWithActions: (args) => manager.signTransactionsWithActions({ ...args, options }),
      signAndSendTransactions: (args) => manager.signAndSendTransactions({ ...args, options }),
    });
    const send = new Kind(accountId, provider, cancelled).transfer({
      receiverId: 'testnet',
      amount: 1n,
    });
    await expect(send).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  test('refuses what the wallet cannot show before it asks', async () => {
    const refuse = (work: Promise<unknown>, code: string) => expect(work).rejects.toMatchObject({ code });
    const asked = await prompts(async () => {
      const other = await stack.oracle.accountAs('testnet').createSignedMetaTransaction({
        receiverId: REGISTRY,
        actions: [actions.transfer(1n)],
      });
      await refuse(account().relayMetaTransaction(other.signedDelegate), 'ACTION_NOT_CARRIED');
      const elsewhere = signerWith({ config: { networkId: 'mainnet' } });
      await refuse(
        new Kind(accountId, provider, elsewhere).transfer({ receiverId: 'testnet', amount: 1n }),
        'OTHER_NETWORK',
      );
    });
    expect(asked).toBe(0);
  });
});

describe('LatchkeyAccount (core 3)', () => {
  test('sends a batch with one prompt', async () => {
    const account = new LatchkeyAccount(accountId, provider, signer);
    const receiverId = 'b'.repeat(64);
    const pay = { receiverId, actions: [actions.transfer(1n)] };
    expect(await prompts(() => account.signAndSendTransactions({ transactions: [pay, pay, pay] }))).toBe(1);
    await expect.poll(() => stack.oracle.balance(receiverId)).toBe(3n);
  });

  test('returns a failed execution where throwOnFailure is false', async () => {
    const account = new LatchkeyAccount(accountId, provider, signer);
    const { status } = await account.signAndSendTransaction({
      receiverId: REGISTRY,
      actions: [actions.functionCall('nothing', {}, 10n ** 13n)],
      throwOnFailure: false,
    });
    expect(status).toHaveProperty('Failure');
  });
});

describe('LatchkeySigner (core 3)', () => {
  const key = () => signer.getPublicKey();

  test('asks once when the chain refuses the nonce, and says what to do', async () => {
    const account = new Account(accountId, provider, signer);
    const other = new LatchkeyAccount(accountId, provider, signer);
    const send = provider.sendTransactionUntil.bind(provider);
    const late = Object.assign(Object.create(provider), {
      sendTransactionUntil: async (...args: Parameters<typeof send>) => {
        await other.transfer({ receiverId: 'testnet', amount: 1n });
        return send(...args);
      },
    }) as JsonRpcProvider;
    const overtaken = new Account(account.accountId, late, signer);
    const sending = () =>
      expect(
        overtaken.transfer({ receiverId: 'c'.repeat(64), amount: nearToYocto('0.01') }),
      ).rejects.toMatchObject({
        code: 'SIGNED_BEFORE',
      });
    // One for the payment, one for the transaction that overtook it.
    expect(await prompts(sending)).toBe(2);
    expect(await stack.oracle.balance('c'.repeat(64))).toBe(0n);
  });

  test('asks again for the same list of actions once the first has arrived', async () => {
    const account = new Account(accountId, provider, signer);
    const pay = { receiverId: 'd'.repeat(64), actions: [actions.transfer(5n)], waitUntil: 'FINAL' as const };
    expect(
      await prompts(async () => {
        await account.signAndSendTransaction(pay);
        await account.signAndSendTransaction(pay);
      }),
    ).toBe(2);
    expect(await stack.oracle.balance('d'.repeat(64))).toBe(10n);
  });

  test('signs a message that near-api-js accepts', async () => {
    const payload = {
      message: 'Hello',
      recipient: 'app.example',
      nonce: crypto.getRandomValues(new Uint8Array(32)),
    };
    const account = new Account(accountId, provider, signer);
    const { signature, publicKey } = await account.signNep413Message(payload);
    await verifyMessage({
      signerAccountId: accountId,
      signerPublicKey: publicKey,
      payload,
      signature,
      provider,
    });
  });

  test('refuses another account', async () => {
    const refusal = { code: 'OTHER_ACCOUNT' };
    const other = new LatchkeyAccount('testnet', provider, signer);
    const message = { message: 'Hello', recipient: 'app.example', nonce: new Uint8Array(32) };
    const asked = await prompts(async () => {
      await expect(other.transfer({ receiverId: REGISTRY, amount: 1n })).rejects.toMatchObject(refusal);
      await expect(other.signNep413Message(message)).rejects.toMatchObject(refusal);
      const account = new Account(accountId, provider, signer);
      const transaction = await account.createTransaction({
        receiverId: REGISTRY,
        actions: [actions.transfer(1n)],
        publicKey: await key(),
      });
      const theirs = new Transaction({ ...transaction, signerId: 'testnet' });
      await expect(signer.signTransaction(theirs)).rejects.toMatchObject(refusal);
    });
    expect(asked).toBe(0);
  });

  test('refuses another key, and bytes', async () => {
    const account = new Account(accountId, provider, signer);
    const transaction = await account.createTransaction({
      receiverId: REGISTRY,
      actions: [actions.transfer(1n)],
      publicKey: await key(),
    });
    const publicKey = KeyPair.fromRandom('ed25519').getPublicKey();
    await expect(
      signer.signTransaction(new Transaction({ ...transaction, publicKey })),
    ).rejects.toMatchObject({
      code: 'OTHER_KEY',
    });
    await expect(Reflect.get(signer, 'signBytes').call(signer, new Uint8Array(32))).rejects.toMatchObject({
      code: 'BYTES_NOT_SIGNED',
    });
  });

  test('throws away what is not the transaction that was asked for', async () => {
    const swapping = signerWith({
      signTransactionsWithActions: (args) =>
        manager.signTransactionsWithActions({
          ...args,
          transactions: [{ receiverId: REGISTRY, actions: [{ type: 'Transfer', amount: '2' }] }],
        }),
    });
    const sent = new Account(accountId, provider, swapping).transfer({
      receiverId: REGISTRY,
      amount: 1n,
    });
    await expect(sent).rejects.toMatchObject({ code: 'OTHER_TRANSACTION' });
  });
});
