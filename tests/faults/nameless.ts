// An account without a name: made from its passkey, its first payment after its first money, and its recovery.
import type { FaultFlow, Outcome } from './harness.js';
import { PAYMENT } from './spending.js';
import { assertDone, fund, loggedIn, makeReceivers, within } from './steps.js';
import type { World } from './world.js';

/** What the wallet asks for once the account is made. */
const LOCK = '/vrf/apply-server-lock';
const LOCK_MS = 10_000;
/** Lagging nodes show the first money this late. */
const SHOWN_MS = 30_000;

/** Makes the account, or logs in to the one that an earlier try has made, and waits for what follows in the background. */
async function make(world: World): Promise<Outcome> {
  const { accountIds } = await world.call(({ manager }) => manager.getRecentLogins());
  const [known] = accountIds;
  if (known !== undefined) {
    world.accountId = known;
    return loggedIn(world);
  }
  const made = await world.call(({ manager }) => manager.createAccount({ label: 'Savings' }));
  if (made.nearAccountId === null) return made;
  world.accountId = made.nearAccountId;
  await within(LOCK_MS, async () => world.proxies.relay.calls.some(({ name }) => name === LOCK));
  return made;
}

/** Makes the account, and asks for its address. */
export async function madeNameless(world: World): Promise<void> {
  assertDone('The creation', await make(world));
  await prove(world);
}

/** Asks for the account's address by another prompt. */
async function prove(world: World): Promise<void> {
  const proven = await world.call(({ manager }) => manager.checkPasskey(world.accountId));
  assertDone('The proof', proven);
  world.accountId = proven.nearAccountId;
}

/** Sends its first money to its address, and waits until the wallet's nodes show it. */
async function pay(world: World): Promise<void> {
  await prove(world);
  await fund(world);
  const isShown = await within(SHOWN_MS, () =>
    world.call(({ manager }) =>
      manager.viewAccessKeyList(world.accountId).then(
        ({ keys }) => keys.length === 1,
        () => false,
      ),
    ),
  );
  if (!isShown) throw new Error(`no node shows the first money of ${world.accountId}`);
}

async function paid(world: World): Promise<void> {
  assertDone('The creation', await make(world));
  await pay(world);
}

/** Expects one account on this device, whose key opens it on the chain, and none in the registry. */
async function assertOwnKey(world: World): Promise<void> {
  await prove(world);
  const { stack, accountId } = world;
  const [keys, records, { accountIds }, state] = await Promise.all([
    stack.oracle.fullAccessKeys(accountId),
    stack.oracle.authenticators(accountId),
    world.call(({ manager }) => manager.getRecentLogins()),
    world.call(({ manager }) => manager.getLoginState(accountId)),
  ]);
  const isOurs = keys.length === 1 && keys[0] === state.publicKey;
  if (!isOurs || records.length > 0 || accountIds.length !== 1)
    throw new Error(
      `keys ${keys}, ${records.length} records, this page has ${state.publicKey} and accounts ${accountIds}`,
    );
}

export const NAMELESS_FLOWS: readonly FaultFlow[] = [
  {
    name: 'an account without a name, made',
    run: make,
    verify: async (world) => {
      await pay(world);
      await assertOwnKey(world);
    },
  },
  {
    ...PAYMENT,
    name: 'the first payment of an account without a name',
    prepare: async (world) => {
      await paid(world);
      makeReceivers(world, 1);
    },
    verify: async (world) => {
      await PAYMENT.verify(world);
      await assertOwnKey(world);
    },
  },
  {
    name: 'the record of a passkey by its own account',
    prepare: paid,
    run: async (world) => {
      const login = await loggedIn(world);
      return login.success ? world.call(({ manager }) => manager.registerDevice(world.accountId)) : login;
    },
    verify: async (world) => {
      const [[, record] = [], ...others] = await world.stack.oracle.authenticators(world.accountId);
      if (!record || others.length > 0) throw new Error(`the registry has ${others.length + 1} records`);
    },
  },
  {
    name: 'a recovery of an account without a name',
    setUp: paid,
    prepare: (world) => world.forget(),
    run: (world) => world.call(({ manager }) => manager.recoverAccount()),
    verify: assertOwnKey,
  },
];
