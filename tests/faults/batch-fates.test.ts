// A batch that fails in its middle, over each adapter: the facade and its WASM in a page, the local chain behind it.
import { actions } from 'near-api-js';
import { ContractMethodNotFoundError } from 'near-api-js/rpc-errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REGISTRY } from '../../dev/services/services.js';
import { LatchkeyAccount } from '../../ts/src/near-api-js/index.js';
import { connectorCalls } from '../../ts/src/near-connect/connector-calls.js';
import { createNearKitWallet } from '../../ts/src/near-kit/index.js';
import type { ActionInput, ActionResult } from '../../ts/src/types.js';
import { openSigning, type Signing } from './near-api-js.js';

let signing: Signing;
beforeAll(async () => {
  signing = await openSigning('fate');
});
afterAll(() => signing?.close());

const RECEIVER = 'c'.repeat(64);
const MISSING = { methodName: 'nothing', args: {}, gas: '30000000000000', deposit: '0' };
const pay: ActionInput = { type: 'Transfer', amount: '1' };
const missing: ActionInput = { type: 'FunctionCall', ...MISSING };

/** A payment is executed, a call of a missing method fails, and the second payment stays in the wallet. */
const transactions = [
  { receiverId: RECEIVER, actions: [pay] },
  { receiverId: REGISTRY, actions: [missing] },
  { receiverId: RECEIVER, actions: [pay] },
];
const FATES = ['executed', 'failed', 'not-sent'];

type Told = Error & {
  readonly code?: string;
  readonly details: { readonly results: readonly ActionResult[] };
};
const errorOf = (work: Promise<unknown>): Promise<Told> =>
  work.then(
    () => Promise.reject(new Error('nothing failed')),
    (error: Told) => error,
  );

/** Each transaction's result is there, and the chain knows the ids of the two that were sent. */
async function tellsAll({ details }: Told): Promise<void> {
  const { results } = details;
  expect(results.map(({ fate }) => fate)).toEqual(FATES);
  expect(results.map(({ errorCode }) => errorCode)).toEqual([undefined, 'TRANSACTION_FAILED', 'NOT_SENT']);
  expect(results[1]?.error).toMatch(/^The chain executed the transaction, and it failed: .*MethodNotFound/);
  for (const { transactionId, result } of results.slice(0, 2)) {
    expect(result).not.toBeNull();
    const txHash = transactionId ?? '';
    const { transaction } = await signing.provider.viewTransactionStatus({
      txHash,
      accountId: signing.accountId,
      waitUntil: 'FINAL',
    });
    expect(transaction.hash).toBe(txHash);
  }
}

describe('a batch that fails in its middle', () => {
  test('tells the onError of the facade of each transaction', async () => {
    const told: Told[] = [];
    const results = await signing.manager.signAndSendTransactions({
      nearAccountId: signing.accountId,
      transactions,
      options: { onError: (error) => void told.push(error as never) },
    });
    expect(results.map(({ fate }) => fate)).toEqual(FATES);
    expect(told).toHaveLength(1);
    await tellsAll(told[0] as Told);
  });

  test("tells a near-connect dapp, in the error's text too, which is all that leaves a sandbox", async () => {
    const { manager, accountId } = signing;
    const connected = { accountId, publicKey: '' };
    const calls = connectorCalls({
      wallet: manager,
      networkId: () => 'testnet',
      connected: { read: async () => connected, write: async () => undefined, clear: async () => undefined },
    });
    const asked = [
      { receiverId: RECEIVER, actions: [{ type: 'Transfer', params: { deposit: '1' } }] },
      { receiverId: REGISTRY, actions: [{ type: 'FunctionCall', params: MISSING }] },
      { receiverId: RECEIVER, actions: [{ type: 'Transfer', params: { deposit: '1' } }] },
    ];
    const error = await errorOf(calls.signAndSendTransactions({ transactions: asked as never }));
    await tellsAll(error);
    const [first, second, third] = error.details.results.map(({ transactionId }) => transactionId);
    expect(error.message).toContain(`executed ${first}, executed and failed ${second}, not sent`);
    expect(error.message).not.toContain(third);
    expect(error.message).not.toContain('rejected');
  });

  test('tells near-api-js, by its own error of the one that failed', async () => {
    const { provider, accountId, signer } = signing;
    const account = new LatchkeyAccount(accountId, provider, signer);
    const batch = [
      { receiverId: RECEIVER, actions: [actions.transfer(1n)] },
      { receiverId: REGISTRY, actions: [actions.functionCall('nothing', {}, 30n * 10n ** 12n)] },
      { receiverId: RECEIVER, actions: [actions.transfer(1n)] },
    ];
    const error = await errorOf(account.signAndSendTransactions({ transactions: batch }));
    expect(error).toBeInstanceOf(ContractMethodNotFoundError);
    await tellsAll(error);
    const unsent = account.signAndSendTransactions({ transactions: batch, throwOnFailure: false });
    const { code, details } = await errorOf(unsent);
    expect(code).toBe('NOT_SENT');
    expect(details.results.map(({ fate }) => fate)).toEqual(FATES);
  });

  test('tells near-kit, which sends one transaction at a time, of that one', async () => {
    const wallet = createNearKitWallet({ wallet: signing.manager, accountId: signing.accountId });
    const functionCall = {
      methodName: 'nothing',
      args: new Uint8Array(),
      gas: 30n * 10n ** 12n,
      deposit: 0n,
    };
    const sent = wallet.signAndSendTransaction({
      receiverId: REGISTRY,
      actions: [{ functionCall }] as never,
    });
    const { code, message, details } = await errorOf(sent);
    expect(code).toBe('TRANSACTION_FAILED');
    expect(message).toMatch(/^The chain executed the transaction, and it failed: .*MethodNotFound/);
    expect(details).toMatchObject({
      fate: 'failed',
      transactionId: expect.any(String),
      results: [{ fate: 'failed', transactionId: expect.any(String) }],
    });
  });
});
