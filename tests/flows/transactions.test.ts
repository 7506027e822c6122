// Batches and nonces on a real chain: the same key elsewhere, a page that ends midway, and what a transaction costs.
// Specification: core 4, core 8
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionInput, ActionResult, ExecutionWait } from 'latchkey';
import type { Account } from 'near-api-js';
import { REGISTRY } from '../../dev/services/services.js';
import { KNOWN_FEES, transactionCost } from '../../ts/src/near/fees.js';
import { fromTransaction } from '../support/fault-proxy.js';
import { expect, greetingOf, pay, test, type Wallet } from './wallet.js';

/** A greeting whose gas a new account can buy several times. */
const greet = (greeting: string): ActionInput =>
  ({ ...greetingOf(greeting), gas: '5000000000000' }) as ActionInput;

/** Signs and sends these greetings, one transaction each, with one prompt. */
function sendBatch(
  { manager, accountId: nearAccountId }: Wallet,
  greetings: readonly string[],
  executionWait: ExecutionWait = { mode: 'sequential' },
): Promise<readonly ActionResult[]> {
  return manager.signAndSendTransactions({
    nearAccountId,
    transactions: greetings.map((greeting) => ({ receiverId: REGISTRY, actions: [greet(greeting)] })),
    options: { executionWait, waitUntil: 'FINAL' },
  });
}

/** The account on another device with the same synced passkey, and so the same key. */
async function elsewhere({ manager, accountId, facade: { paper }, stack }: Wallet): Promise<Account> {
  expect(await manager.exportNearKeypairWithUI(accountId)).toMatchObject({ success: true });
  return stack.oracle.accountAs(accountId, paper.written.at(-1) as `ed25519:${string}`);
}

test('a transaction whose nonce another device used is signed again within the same approval', async ({
  wallet,
  stack,
}) => {
  const { manager, accountId } = wallet;
  await pay(stack, accountId, 10n);
  const device = await elsewhere(wallet);
  // The wallet has read the nonce; then the other device spends it.
  await manager.prefetchBlockheight();
  await device.callFunction({
    contractId: REGISTRY,
    methodName: 'set_greeting',
    args: { greeting: 'elsewhere' },
    waitUntil: 'FINAL',
  });
  const before = wallet.prompts.length;
  expect(await wallet.execute(REGISTRY, greet('here'))).toMatchObject({ success: true, fate: 'executed' });
  expect(wallet.prompts.length - before).toBe(1);
  expect(await stack.oracle.greeting()).toBe('here');
});

test('another device that sends during a batch causes no second prompt and no duplicate', async ({
  wallet,
  stack,
}) => {
  await pay(stack, wallet.accountId, 10n);
  const device = await elsewhere(wallet);
  const before = wallet.prompts.length;
  const greetings = Array.from({ length: 6 }, (_, index) => `batch ${index}`);
  const sending = sendBatch(wallet, greetings);
  await expect.poll(() => wallet.sent.length).toBeGreaterThan(1);
  for (let index = 0; index < 3; index += 1) {
    // It may lose the race for a nonce, as the batch may.
    await device
      .callFunctionRaw({
        contractId: REGISTRY,
        methodName: 'set_greeting',
        args: { greeting: `elsewhere ${index}` },
      })
      .catch((error: Error) => expect(error.message).toMatch(/nonce/i));
  }
  const results = await sending;
  expect(results.map(({ fate }) => fate)).toEqual(Array(6).fill('executed'));
  expect(new Set(results.map(({ transactionId }) => transactionId)).size).toBe(6);
  expect(wallet.prompts.length - before).toBe(1);
});

test('a batch whose page is reloaded midway is looked up afterwards and never sent again', async ({
  wallet,
  stack,
}) => {
  const { accountId } = wallet;
  // The page ends while the second transaction is in transit; it arrives after the page is gone.
  let releases: (() => void)[] = [];
  const where = fromTransaction(2);
  const isHeld = new Promise<void>((onMet) => {
    releases = wallet.nodes.map((node) => node.hold('send_tx', undefined, { where, onMet }));
  });
  void sendBatch(wallet, ['first', 'second', 'third']);
  await isHeld;
  wallet.reload();
  for (const release of releases) release();
  await expect.poll(() => stack.oracle.greeting()).toBe('second');

  const [batch] = (await wallet.manager.init()).batches ?? [];
  expect(batch).toMatchObject({ nearAccountId: accountId });
  expect(batch?.transactions.map(({ fate }) => fate)).toEqual(['executed', 'executed', 'not-sent']);
  const [first] = batch?.transactions ?? [];
  expect(await stack.oracle.transaction(first?.transactionId ?? '', accountId)).toMatchObject({
    succeeded: true,
  });
  expect(await wallet.manager.resume()).not.toHaveProperty('batches');
  expect(await stack.oracle.greeting()).toBe('second');
});

test('a transaction that the contract refuses ends a sequential batch, and each result reports its own outcome', async ({
  wallet,
  stack,
}) => {
  const greetings = ['good', 'x'.repeat(281), 'after'];
  const inOrder = await sendBatch(wallet, greetings, { mode: 'sequential' });
  expect(inOrder).toMatchObject([
    { success: true, fate: 'executed' },
    {
      success: false,
      fate: 'failed',
      errorCode: 'TRANSACTION_FAILED',
      error: expect.stringMatching(/280 bytes/),
    },
    { success: false, fate: 'not-sent', errorCode: 'NOT_SENT' },
  ]);
  for (const { transactionId } of inOrder) expect(transactionId).toMatch(/^\w{43,44}$/);
  expect(await stack.oracle.greeting()).toBe('good');
  const staggered = await sendBatch(wallet, greetings, { mode: 'parallelStaggered' });
  expect(staggered.map(({ fate }) => fate)).toEqual(['executed', 'failed', 'executed']);
});

test('estimates use the chain’s own prices', async ({ stack }) => {
  const config = await stack.oracle.provider.experimental_protocolConfig({ finality: 'final' });
  expect(config).toMatchObject(KNOWN_FEES);
});

test('an estimate equals what the chain charges up front, to the yocto', async ({ wallet, stack }) => {
  const { accountId } = wallet;
  const balance = await stack.oracle.balance(accountId);
  const transfer = (yocto: bigint) => ({ type: 'Transfer' as const, amount: String(yocto) });
  const { gasYocto } = transactionCost(accountId, { receiverId: REGISTRY, actions: [transfer(10n ** 19n)] });
  // Storage of 182 bytes and the key are free; the account can pay this and not one yocto more.
  const affordable = balance - gasYocto;
  expect(await wallet.execute(REGISTRY, transfer(affordable + 1n))).toMatchObject({
    success: false,
    errorCode: 'INSUFFICIENT_BALANCE',
  });
  expect(await wallet.execute(REGISTRY, transfer(affordable))).toMatchObject({
    success: true,
    fate: 'executed',
  });
});

test('errors of the node are reported with the texts of the catalogue', async ({ wallet }) => {
  const faults = [
    [{ kind: 'status', status: 503, body: '' }, /^RPC request failed: 503 Service Unavailable$/],
    [{ kind: 'rewrite-answer', rewrite: () => ({}) }, /^Empty response from RPC server$/],
  ] as const;
  for (const [fault, message] of faults) {
    // A key that was seen a minute ago is looked up again. In two steps: a call to a worker may take no whole minute.
    wallet.clock.pass(30_001);
    await sleep(500);
    wallet.clock.pass(30_001);
    const heal = wallet.fail('query:view_access_key', fault);
    expect(await wallet.execute(REGISTRY, greet('never'))).toMatchObject({
      success: false,
      errorCode: 'NEAR_RPC_FAILED',
      error: expect.stringMatching(message),
      fate: 'not-sent',
    });
    heal();
  }
});
