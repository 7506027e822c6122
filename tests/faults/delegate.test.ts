// A delegate that the relay pays for. It has a chain of its own: its greeting is the registry's only one.
import { JsonRpcProvider } from 'near-api-js';
import { REGISTRY, RELAYER } from '../../demo/stack/services.js';
import { outliveFaults } from './harness.js';
import { inNewSession, loggedIn, registered, within } from './steps.js';
import type { World } from './world.js';

/** Longer than the relay takes to send a delegate. */
const ON_ITS_WAY_MS = 10_000;

let cases = 0;
const greetingOf = ({ accountId, notes }: World): string =>
  `by the relay for ${accountId}, ${notes.get('case')}`;

/** How many transactions the relayer has sent, from any beginning. */
async function relayerNonce({ stack }: World): Promise<bigint> {
  const { keys } = await new JsonRpcProvider({ url: stack.chainUrl }).viewAccessKeyList({
    accountId: RELAYER,
  });
  return keys.reduce((sum, key) => sum + BigInt(key.access_key.nonce), 0n);
}

outliveFaults([
  {
    name: 'a delegate that the relay sends',
    // The relayer's nonces count what it has sent, in all.
    atOnce: 1,
    setUp: registered,
    prepare: async (world) => {
      await inNewSession(world);
      world.notes.set('case', String(cases++));
      world.notes.set('nonce', String(await relayerNonce(world)));
    },
    run: async (world) => {
      const login = await loggedIn(world);
      if (!login.success) return login;
      const greeting = greetingOf(world);
      // What an earlier visit handed to the relay may be on its way: no journal knows of it, so the person looks first.
      const isThere = async () => (await world.stack.oracle.greeting()) === greeting;
      if (await within(world.notes.has('tried') ? ON_ITS_WAY_MS : 0, isThere)) return { success: true };
      world.notes.set('tried', 'yes');
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
