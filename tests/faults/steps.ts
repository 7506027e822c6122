// Shared steps: a user registers, comes back, and checks before repeating something.
import { randomBytes } from 'node:crypto';
import type { ActionInput, ResumeResult } from 'latchkey';
import { REGISTRY } from '../../dev/services/services.js';
import type { Facade } from '../support/page/browser.js';
import type { DeviceClock } from '../support/page/clock.js';
import type { Outcome } from './harness.js';
import type { FaultStack } from './stack.js';
import type { World } from './world.js';

/** The amount that each receiver of a payment gets. */
export const YOCTO = 7n;
const FUNDS = 10n ** 24n;
/** The wallet knows when the registry takes the challenge no longer, two minutes after it was made (stack.ts). */
const KNOWN_MS = 240_000;

export const register = (world: World): Promise<Outcome> =>
  world.call(({ manager }) => manager.registerPasskey(world.accountId));

export async function registered(world: World): Promise<void> {
  await registeredIn((work) => world.call(work), world.accountId);
}

/**
 * Registers as a user does. When the wallet says that it does not know yet, the user has it look again, as at its next
 * start, until it knows, and logs in. Returns the transaction's id if the wallet heard it.
 */
export async function registeredIn(call: World['call'], accountId: string): Promise<string | null> {
  const made = await call(({ manager }) => manager.registerPasskey(accountId));
  if (!made.pending) {
    assertDone('The registration', made);
    return made.transactionId;
  }
  let seen: ResumeResult | undefined;
  await within(KNOWN_MS, async () => {
    seen = await call(({ manager }) => manager.resume());
    return !seen.pending.includes(accountId);
  });
  if (!seen?.committed.includes(accountId))
    throw new Error(
      `The registration ended with "${made.error}", and later looks saw ${JSON.stringify(seen)}`,
    );
  assertDone('The login after it', await call(({ manager }) => manager.loginPasskey(accountId)));
  return null;
}

export const logIn = (world: World): Promise<Outcome> =>
  world.call(({ manager }) => manager.loginPasskey(world.accountId));

export const logOut = (world: World): Promise<void> =>
  world.call(({ manager }) => manager.logoutAndClearVrfSession());

/** Logs in unless the page has a session; after a reload it has none. */
export async function loggedIn(world: World): Promise<Outcome> {
  const state = await world.call(({ manager }) => manager.getLoginState(world.accountId));
  return state.isLoggedIn ? { success: true } : logIn(world);
}

/** Opens a session for each case, so that all begin with the same early reads. */
export async function inNewSession(world: World): Promise<void> {
  await logOut(world);
  assertDone('The login', await logIn(world));
}

/** Confirms a harmless request. */
export const greet = (world: World): Promise<Outcome> =>
  world.call(({ manager }) =>
    manager.executeAction({
      nearAccountId: world.accountId,
      receiverId: REGISTRY,
      actionArgs: {
        type: 'FunctionCall',
        methodName: 'set_greeting',
        args: { greeting: `from ${world.accountId}` },
      },
    }),
  );

/** Expects one device and one key on the chain, both from this page. */
export async function assertOneDevice(world: World): Promise<void> {
  const { stack, accountId } = world;
  const [keys, authenticators, state] = await Promise.all([
    stack.oracle.fullAccessKeys(accountId),
    stack.oracle.authenticators(accountId),
    world.call(({ manager }) => manager.getLoginState(accountId)),
  ]);
  const isOurs = keys.length === 1 && authenticators.length === 1 && keys[0] === state.publicKey;
  if (!isOurs)
    throw new Error(`keys ${keys}, ${authenticators.length} devices, this page has ${state.publicKey}`);
}

/** Tops up the account, because gas is bought at ten times its price. */
export async function fund({ stack, accountId }: Pick<World, 'stack' | 'accountId'>): Promise<void> {
  await stack.funders.during((funder) => funder.transfer({ receiverId: accountId, amount: FUNDS }));
}

export const transfer = (amount: bigint): ActionInput => ({ type: 'Transfer', amount: String(amount) });

/** Creates receivers that get no other payments. */
export function makeReceivers(world: World, count: number): void {
  const receivers = Array.from({ length: count }, () => randomBytes(32).toString('hex'));
  world.notes.set('receivers', receivers.join());
}

export const receivers = ({ notes }: World): string[] => (notes.get('receivers') ?? '').split(',');

/** The receivers without a payment so far. */
export async function unpaid(world: World): Promise<string[]> {
  const balances = await Promise.all(receivers(world).map((id) => world.stack.oracle.balance(id)));
  return receivers(world).filter((_, index) => balances[index] === 0n);
}

/** Expects that each receiver got its amount exactly once. */
export async function assertPaidOnce(world: World): Promise<void> {
  const balances = await Promise.all(receivers(world).map((id) => world.stack.oracle.balance(id)));
  if (balances.some((balance) => balance !== YOCTO))
    throw new Error(`each receiver was to get ${YOCTO} yoctoNEAR, and they got ${balances.join()}`);
}

/** Records a violation, which counts even if the flow succeeds later. */
export function complain({ notes }: World, problem: string): void {
  notes.set('wrong', `${notes.get('wrong') ?? ''}${problem}. `);
}

export function assertNoComplaint({ notes }: World): void {
  const wrong = notes.get('wrong');
  if (wrong) throw new Error(wrong);
}

export function assertDone(what: string, { success, error }: Outcome): void {
  if (!success) throw new Error(`${what} failed: ${error}`);
}

/** At each look in {@link withinPassing}: a minute of the device passes in 15 s. */
const PASSES_MS = 1_000;
const PASSING_EVERY_MS = 250;

/** As {@link within}, while the clock of a device that has something to wait for runs ahead. */
export const withinPassing = (
  clock: DeviceClock,
  ms: number,
  look: () => Promise<boolean>,
): Promise<boolean> =>
  within(
    ms,
    async () => {
      const isDone = await look();
      if (!isDone) clock.pass(PASSES_MS);
      return isDone;
    },
    PASSING_EVERY_MS,
  );

/** Polls `look` until it succeeds; false if it does not in time. */
export async function within(ms: number, look: () => Promise<boolean>, everyMs = 200): Promise<boolean> {
  for (const end = Date.now() + ms; ; ) {
    if (await look()) return true;
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/**
 * Long enough for a linking on a public network or a loaded machine. By then Device1 has deleted a key that no device took, and
 * a device that still shows its code would wait until that code is too old.
 */
const LINKING_MS = 180_000;

/** How the latest linking of this page's device ended; undefined if it did not in time. */
export async function endOfLinking(facade: Facade): Promise<Facade['linked']> {
  await within(LINKING_MS, async () => facade.linked !== undefined);
  return facade.linked;
}

export const keysOnChain = (stack: FaultStack, accountId: string): Promise<string[]> =>
  stack.oracle.fullAccessKeys(accountId);
