// Everything that the passkey signs: payments, batches of payments, a message.
import type { ExecutionWait, ResumedBatch } from 'latchkey';
import type { FaultFlow, Outcome } from './harness.js';
import {
  assertNoComplaint,
  assertPaidOnce,
  complain,
  fund,
  loggedIn,
  makeReceivers,
  receivers,
  registered,
  transfer,
  unpaid,
  within,
  YOCTO,
} from './steps.js';
import type { World } from './world.js';

const SETTLE_MS = 10_000;
const COUNT = 3;

const modes: readonly [name: string, wait: ExecutionWait][] = [
  ['in order', { mode: 'sequential' }],
  ['staggered', { mode: 'parallelStaggered', staggerMs: 20 }],
];

/** A new account: a login would already do the reads of the first approval. */
async function funded(world: World): Promise<void> {
  await registered(world);
  await fund(world);
}

/**
 * The wallet's report on the payments of earlier visits and tries must match the receivers' balances. A payment that was
 * sent may arrive after a look at the balance, so a user asks the wallet first.
 */
async function lookAtBatches(world: World): Promise<void> {
  let told: readonly ResumedBatch[] = world.resumed.batches ?? [];
  const wasLeft = told.length > 0;
  const isSettled = await within(SETTLE_MS, async () => {
    const { batches } = await world.call(({ manager }) => manager.resume());
    told = batches ?? told;
    return !told.some(({ transactions }) => transactions.some(({ fate }) => fate === 'unknown'));
  });
  // After a reload, the wallet cannot distinguish a transaction that was never sent from a late one.
  if (!isSettled && !wasLeft) complain(world, 'what became of a batch stays unknown');
  const open = await unpaid(world);
  for (const { receiverId, fate } of told.flatMap(({ transactions }) => transactions)) {
    const hasArrived = !open.includes(receiverId);
    if (hasArrived !== (fate === 'executed'))
      complain(world, `a payment is said to be ${fate}, and it has ${hasArrived ? '' : 'not '}arrived`);
  }
}

/** The receivers that are not paid after this and earlier tries. */
async function stillUnpaid(world: World): Promise<string[]> {
  if (world.notes.has('tried')) await lookAtBatches(world);
  world.notes.set('tried', 'yes');
  return unpaid(world);
}

async function payBatch(world: World, executionWait: ExecutionWait): Promise<Outcome> {
  const login = await loggedIn(world);
  if (!login.success) return login;
  const open = await stillUnpaid(world);
  if (open.length === 0) return { success: true };
  const results = await world.call(({ manager }) =>
    manager.signAndSendTransactions({
      nearAccountId: world.accountId,
      transactions: open.map((receiverId) => ({ receiverId, actions: [transfer(YOCTO)] })),
      options: { executionWait, waitUntil: 'FINAL' },
    }),
  );
  const left = await unpaid(world);
  for (const [index, { fate }] of results.entries()) {
    const hasArrived = !left.includes(open[index] ?? '');
    if (fate !== 'unknown' && hasArrived !== (fate === 'executed'))
      complain(world, `a payment is said to be ${fate}, and it has ${hasArrived ? '' : 'not '}arrived`);
  }
  return results.find(({ success }) => !success) ?? { success: true };
}

/** Of a new account with money. */
export const PAYMENT: FaultFlow = {
  name: 'a payment',
  prepare: async (world) => {
    await funded(world);
    makeReceivers(world, 1);
  },
  run: async (world) => {
    const login = await loggedIn(world);
    if (!login.success) return login;
    const [receiverId] = await stillUnpaid(world);
    if (receiverId === undefined) return { success: true };
    return world.call(({ manager }) =>
      manager.executeAction({
        nearAccountId: world.accountId,
        receiverId,
        actionArgs: transfer(YOCTO),
        options: { waitUntil: 'FINAL' },
      }),
    );
  },
  verify: async (world) => {
    assertNoComplaint(world);
    await assertPaidOnce(world);
  },
};

export const SPENDING_FLOWS: readonly FaultFlow[] = [
  PAYMENT,
  ...modes.map(
    ([name, executionWait]): FaultFlow => ({
      name: `a batch of payments sent ${name}`,
      prepare: async (world) => {
        await funded(world);
        makeReceivers(world, COUNT);
      },
      run: (world) => payBatch(world, executionWait),
      verify: async (world) => {
        assertNoComplaint(world);
        if (receivers(world).length !== COUNT) throw new Error('receivers are missing');
        await assertPaidOnce(world);
      },
    }),
  ),
  {
    name: 'a signed message',
    prepare: registered,
    run: async (world) => {
      const login = await loggedIn(world);
      if (!login.success) return login;
      const result = await world.call(({ manager }) =>
        manager.signNEP413Message({
          nearAccountId: world.accountId,
          params: { message: 'It is me', recipient: 'guestbook.testnet' },
        }),
      );
      const { publicKey, signature, nonce } = result;
      if (publicKey && signature && nonce)
        world.notes.set('signed', JSON.stringify({ publicKey, signature, nonce }));
      return result;
    },
    verify: ({ stack, accountId, notes }) =>
      stack.oracle.verifyMessage({
        accountId,
        message: 'It is me',
        recipient: 'guestbook.testnet',
        ...JSON.parse(notes.get('signed') ?? '{}'),
      }),
  },
];
