// An account that another wallet made is brought here: that wallet, near-api-js, adds the passkey's key.
import type { KeyToAdd } from 'latchkey';
import { actions, PublicKey } from 'near-api-js';
import type { AccountElsewhere } from '../support/oracle.js';
import type { FaultFlow, Outcome } from './harness.js';
import { keysOnChain, loggedIn } from './steps.js';
import type { World } from './world.js';

const elsewhere = new WeakMap<World, AccountElsewhere>();

/** Adds the key as a user does who approves it in the other wallet. */
async function addKey(world: World, { receiverId, publicKey }: KeyToAdd): Promise<void> {
  const { account } = elsewhere.get(world) ?? {};
  if (!account) throw new Error('This world has no account elsewhere.');
  world.notes.set('asked', String(Number(world.notes.get('asked') ?? 0) + 1));
  await account.signAndSendTransaction({
    receiverId,
    actions: [actions.addFullAccessKey(PublicKey.fromString(publicKey))],
  });
}

async function adopt(world: World): Promise<Outcome> {
  const { accountId, notes } = world;
  if (notes.has('asked')) {
    // An earlier try may have brought it, and only its answer was lost.
    const login = await loggedIn(world);
    if (login.success) return login;
  }
  const adopted = await world.call(({ manager }) =>
    manager.adoptAccount({ accountId, addKey: (key) => addKey(world, key) }),
  );
  return adopted.success ? loggedIn(world) : adopted;
}

export const ADOPT_FLOW: FaultFlow = {
  name: 'bringing an account that another wallet controls',
  prepare: async (world) => {
    const prefix = world.accountId.split('.')[0] ?? '';
    const { funders, oracle } = world.stack;
    const made = await funders.during((funder) => oracle.makeAccountElsewhere(prefix, funder));
    elsewhere.set(world, made);
    world.accountId = made.accountId;
  },
  run: adopt,
  verify: async (world) => {
    const { stack, accountId } = world;
    const [keys, authenticators, own] = await Promise.all([
      keysOnChain(stack, accountId),
      stack.oracle.authenticators(accountId),
      world.call(({ manager }) => manager.getLoginState(accountId)),
    ]);
    const named = authenticators.map(([, { near_public_key: key }]) => key);
    if (named.length !== 1 || named[0] !== own.publicKey)
      throw new Error(`the registry names ${named}, and this device has ${own.publicKey}`);
    // The other wallet's key, and one of this device for each time that the other wallet was asked.
    if (keys.length > 1 + Number(world.notes.get('asked')) || !keys.includes(own.publicKey ?? ''))
      throw new Error(`the account has the keys ${keys}`);
  },
};
