// What several flows have in common: a person who registers, comes back, and looks before doing a thing again.
import { randomBytes } from 'node:crypto';
import type { ActionInput } from 'latchkey';
import type { LocalStack } from '../../demo/stack/local-stack.js';
import type { FacadePage } from '../e2e/facade-page/main.js';
import type { Outcome, World } from './harness.js';

declare const facade: FacadePage;

/** What a receiver is to get. */
export const YOCTO = 7n;
const FUNDS = 10n ** 24n;

export async function register({ page, accountId }: World): Promise<Outcome> {
  return page.evaluate((id) => facade.manager.registerPasskey(id), accountId);
}

export async function registered(world: World): Promise<void> {
  const outcome = await register(world);
  if (!outcome.success) throw new Error(`Registration failed: ${outcome.error}`);
}

export async function logIn({ page, accountId }: World): Promise<Outcome> {
  return page.evaluate((id) => facade.manager.loginPasskey(id), accountId);
}

export async function logOut({ page }: World): Promise<void> {
  await page.evaluate(() => facade.manager.logoutAndClearVrfSession());
}

/** A page that was left has no session: the person logs in first. */
export async function loggedIn(world: World): Promise<Outcome> {
  const state = await world.page.evaluate((id) => facade.manager.getLoginState(id), world.accountId);
  return state.isLoggedIn ? { success: true } : logIn(world);
}

/** Confirms something of no consequence. */
export async function greet({ page, accountId }: World): Promise<Outcome> {
  return page.evaluate((nearAccountId) => {
    const args = { greeting: `from ${nearAccountId}` };
    return facade.manager.executeAction({
      nearAccountId,
      receiverId: 'w3a-v1.testnet',
      actionArgs: { type: 'FunctionCall', methodName: 'set_greeting', args },
    });
  }, accountId);
}

/** The chain shows one device and one key, those of this page. */
export async function assertOneDevice({ page, stack, accountId }: World): Promise<void> {
  const [keys, authenticators, state] = await Promise.all([
    stack.oracle.fullAccessKeys(accountId),
    stack.oracle.authenticators(accountId),
    page.evaluate((id) => facade.manager.getLoginState(id), accountId),
  ]);
  const isOurs = keys.length === 1 && authenticators.length === 1 && keys[0] === state.publicKey;
  if (!isOurs)
    throw new Error(`keys ${keys}, ${authenticators.length} devices, this page has ${state.publicKey}`);
}

let funding: Promise<unknown> = Promise.resolve();

/** More than the relay gives: gas is bought at ten times its price. One after the other, for the payer's nonces. */
export async function fund({ stack, accountId }: World): Promise<void> {
  const transfer = () => stack.oracle.accountAs('testnet').transfer({ receiverId: accountId, amount: FUNDS });
  const paid = funding.then(transfer);
  funding = paid.catch(() => undefined);
  await paid;
}

export const transfer = (amount: bigint): ActionInput => ({ type: 'Transfer', amount: String(amount) });

/** Receivers of this world's own: accounts that nobody else pays to. */
export function makeReceivers(world: World, count: number): void {
  const receivers = Array.from({ length: count }, () => randomBytes(32).toString('hex'));
  world.notes.set('receivers', receivers.join());
}

export const receivers = ({ notes }: World): string[] => (notes.get('receivers') ?? '').split(',');

/** The receivers to whom nothing has come yet. */
export async function unpaid(world: World): Promise<string[]> {
  const balances = await Promise.all(receivers(world).map((id) => world.stack.oracle.balance(id)));
  return receivers(world).filter((_, index) => balances[index] === 0n);
}

/** Each receiver got its sum, exactly once. */
export async function assertPaidOnce(world: World): Promise<void> {
  const balances = await Promise.all(receivers(world).map((id) => world.stack.oracle.balance(id)));
  if (balances.some((balance) => balance !== YOCTO))
    throw new Error(`${YOCTO} yoctoNEAR were to come to each receiver, and these came: ${balances.join()}`);
}

/** Notes what may not be, whatever the flow comes to afterwards. */
export function complain({ notes }: World, problem: string): void {
  notes.set('wrong', `${notes.get('wrong') ?? ''}${problem}. `);
}

export function assertNoComplaint({ notes }: World): void {
  const wrong = notes.get('wrong');
  if (wrong) throw new Error(wrong);
}

/** Waits until `look` finds what it looks for; false when it does not come in time. */
export async function within(ms: number, look: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + ms; ; ) {
    if (await look()) return true;
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

export const keysOnChain = (stack: LocalStack, accountId: string): Promise<string[]> =>
  stack.oracle.fullAccessKeys(accountId);
