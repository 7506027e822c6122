// A delegate action that the relay pays for. It has its own chain, because the registry holds only one greeting.
import { REGISTRY, RELAYER } from '../../dev/services/services.js';
import { outliveFaults } from './harness.js';
import { loggedIn, registered, within } from './steps.js';
import type { World } from './world.js';

const ROUTE = '/signed-delegate';
const EXECUTED_MS = 30_000;

/**
 * Whether the greeting is there. Waits for one that the relay has accepted: the wallet's journal does not know whether it
 * was carried out before the chain shows its nonce, so a user checks before sending it again.
 */
async function isThere({ stack, notes }: World, greeting: string): Promise<boolean> {
  const isSet = async () => (await stack.oracle.greeting()) === greeting;
  const isOnItsWay = () =>
    stack.relay.calls
      .slice(Number(notes.get('calls')))
      .some(({ name, status }) => name === ROUTE && (status === undefined || status === 200));
  await within(EXECUTED_MS, async () => !isOnItsWay() || (await isSet()));
  return isSet();
}

let cases = 0;
const greetingOf = ({ accountId, notes }: World): string =>
  `by the relay for ${accountId}, ${notes.get('case')}`;

/** The number of transactions that the relayer has sent, up to a constant. */
async function relayerNonce({ stack }: World): Promise<bigint> {
  const { keys } = await stack.oracle.provider.viewAccessKeyList({ accountId: RELAYER });
  return keys.reduce((sum, key) => sum + BigInt(key.access_key.nonce), 0n);
}

outliveFaults([
  {
    name: 'a delegate that the relay sends',
    // The sum of the relayer's nonces counts its transactions.
    atOnce: 1,
    prepare: async (world) => {
      await registered(world);
      world.notes.set('case', String(cases++));
      world.notes.set('calls', String(world.stack.relay.calls.length));
      world.notes.set('nonce', String(await relayerNonce(world)));
    },
    run: async (world) => {
      const login = await loggedIn(world);
      if (!login.success) return login;
      const greeting = greetingOf(world);
      if (await isThere(world, greeting)) return { success: true };
      return world.call(({ manager }) =>
        manager.executeDelegateAction({
          nearAccountId: world.accountId,
          receiverId: REGISTRY,
          actions: { type: 'FunctionCall', methodName: 'set_greeting', args: { greeting } },
        }),
      );
    },
    verify: async (world) => {
      const greeting = await world.stack.oracle.greeting();
      if (greeting !== greetingOf(world)) throw new Error(`it greets: ${greeting}`);
      const sent = (await relayerNonce(world)) - BigInt(world.notes.get('nonce') ?? '');
      if (sent !== 1n) throw new Error(`the relay paid ${sent} times`);
    },
  },
]);
