// What is signed with the passkey: payments, batches of them, a delegate that the relay pays for, a message.
import type { ExecutionWait, ResumedBatch } from 'latchkey';
import { JsonRpcProvider } from 'near-api-js';
import { REGISTRY, RELAYER } from '../../demo/stack/services.js';
import type { FacadePage } from '../e2e/facade-page/main.js';
import type { FaultFlow, Outcome, World } from './harness.js';
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

declare const facade: FacadePage;

const SETTLE_MS = 10_000;
/** Longer than the relay takes to send a delegate. */
const ON_ITS_WAY_MS = 10_000;
const COUNT = 3;

const modes: readonly [name: string, wait: ExecutionWait][] = [
  ['in order', { mode: 'sequential' }],
  ['staggered', { mode: 'parallelStaggered', staggerMs: 20 }],
];

/** What is told of the batches of earlier visits and tries has to fit what the receivers have. */
async function lookAtBatches(world: World): Promise<void> {
  let told: readonly ResumedBatch[] = world.resumed.batches ?? [];
  const wasLeft = told.length > 0;
  const isSettled = await within(SETTLE_MS, async () => {
    const { batches } = await world.page.evaluate(() => facade.manager.resume());
    told = batches ?? told;
    return !told.some(({ transactions }) => transactions.some(({ fate }) => fate === 'unknown'));
  });
  // Of a page that was left, one that never went out cannot be told from one that is late.
  if (!isSettled && !wasLeft) complain(world, 'what became of a batch stays unknown');
  const open = await unpaid(world);
  for (const { receiverId, fate } of told.flatMap(({ transactions }) => transactions)) {
    const hasArrived = !open.includes(receiverId);
    if (hasArrived !== (fate === 'executed'))
      complain(world, `a payment is said to be ${fate}, and it has ${hasArrived ? '' : 'not '}arrived`);
  }
}

const relayerNonce = async ({ stack }: World): Promise<string> => {
  const { keys } = await new JsonRpcProvider({ url: stack.chainUrl }).viewAccessKeyList({
    accountId: RELAYER,
  });
  return String(keys.reduce((sum, key) => sum + BigInt(key.access_key.nonce), 0n));
};

export const SPENDING_FLOWS: readonly FaultFlow[] = [
  {
    name: 'a payment',
    prepare: async (world) => {
      await registered(world);
      makeReceivers(world, 1);
    },
    run: async (world) => {
      const login = await loggedIn(world);
      if (!login.success) return login;
      // A person whose answer was lost looks at the balance before paying again.
      const [receiverId] = await unpaid(world);
      if (receiverId === undefined) return { success: true };
      return world.page.evaluate(
        ([nearAccountId, to, action]) =>
          facade.manager.executeAction({
            nearAccountId,
            receiverId: to,
            actionArgs: action,
            options: { waitUntil: 'FINAL' },
          }),
        [world.accountId, receiverId, transfer(YOCTO)] as const,
      );
    },
    verify: assertPaidOnce,
  },
  ...modes.map(
    ([name, executionWait]): FaultFlow => ({
      name: `a batch of payments sent ${name}`,
      prepare: async (world) => {
        await registered(world);
        await fund(world);
        makeReceivers(world, COUNT);
      },
      run: async (world): Promise<Outcome> => {
        const login = await loggedIn(world);
        if (!login.success) return login;
        if (world.notes.has('tried')) await lookAtBatches(world);
        world.notes.set('tried', 'yes');
        const open = await unpaid(world);
        if (open.length === 0) return { success: true };
        const results = await world.page.evaluate(
          ([nearAccountId, to, action, wait]) =>
            facade.manager.signAndSendTransactions({
              nearAccountId,
              transactions: to.map((receiverId) => ({ receiverId, actions: [action] })),
              options: { executionWait: wait, waitUntil: 'FINAL' },
            }),
          [world.accountId, open, transfer(YOCTO), executionWait] as const,
        );
        const left = await unpaid(world);
        for (const [index, { fate }] of results.entries()) {
          const hasArrived = !left.includes(open[index] ?? '');
          if (fate === 'unknown' ? false : hasArrived !== (fate === 'executed'))
            complain(world, `a payment is said to be ${fate}, and it has ${hasArrived ? '' : 'not '}arrived`);
        }
        return results.find(({ success }) => !success) ?? { success: true };
      },
      verify: async (world) => {
        assertNoComplaint(world);
        if (receivers(world).length !== COUNT) throw new Error('receivers are missing');
        await assertPaidOnce(world);
      },
    }),
  ),
  {
    name: 'a delegate that the relay sends',
    // Its greeting is the registry's only one, and the relayer's nonces count what it has sent.
    isAlone: true,
    prepare: async (world) => {
      await registered(world);
      world.notes.set('nonce', await relayerNonce(world));
    },
    run: async (world) => {
      const login = await loggedIn(world);
      if (!login.success) return login;
      const greeting = `by the relay for ${world.accountId}`;
      // What an earlier visit handed to the relay may be on its way: no journal knows of it, so the person looks first.
      const isThere = async () => (await world.stack.oracle.greeting()) === greeting;
      if (await within(world.notes.has('tried') ? ON_ITS_WAY_MS : 0, isThere)) return { success: true };
      world.notes.set('tried', 'yes');
      return world.page.evaluate((args) => facade.manager.executeDelegateAction(args), {
        nearAccountId: world.accountId,
        receiverId: REGISTRY,
        actions: { type: 'FunctionCall' as const, methodName: 'set_greeting', args: { greeting } },
      });
    },
    verify: async (world) => {
      const greeting = await world.stack.oracle.greeting();
      if (greeting !== `by the relay for ${world.accountId}`) throw new Error(`it greets: ${greeting}`);
      const sent = BigInt(await relayerNonce(world)) - BigInt(world.notes.get('nonce') ?? '');
      if (sent !== 1n) throw new Error(`the relay paid ${sent} times`);
    },
  },
  {
    name: 'a signed message',
    prepare: registered,
    run: async (world) => {
      const login = await loggedIn(world);
      if (!login.success) return login;
      const result = await world.page.evaluate(
        (nearAccountId) =>
          facade.manager.signNEP413Message({
            nearAccountId,
            params: { message: 'It is me', recipient: 'guestbook.testnet' },
          }),
        world.accountId,
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
