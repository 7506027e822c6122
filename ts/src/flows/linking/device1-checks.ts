/** The checks before Device1 asks its user: cheap questions first, nothing is signed. */
import {
  ACCOUNT_NOT_OWNED,
  DEVICE_NOT_RECORDED,
  INVALID_FUNDING_AMOUNT,
  LatchkeyError,
  LINK_KEY_KNOWN,
  LINKER_HAS_NO_KEY,
  LINKER_NOT_LOGGED_IN,
} from '../../errors/account.js';
import { isNearImplicitAccountId } from '../../near/account-id.js';
import { assertSpendable } from '../../near/fees.js';
import { readNear, writeNear } from '../../near/near-amount.js';
import { KEPT_YOCTO } from '../../registry/linking.js';
import { authenticatorsOf } from '../../registry/registry.js';
import type { UserRecord } from '../../storage/records.js';
import type { LinkDeviceQrData, TransactionInput } from '../../types.js';
import type { FlowContext } from '../context.js';
import { retrying } from '../retrying.js';
import { completeTransactions } from '../signing/actions.js';
import { currentFees } from '../signing/cost.js';
import { neededFor, notFound } from './balance.js';

export const MAPPING_GAS = '30000000000000';

/** Returns the record of the account that is logged in. */
export async function loggedInUser({ vrf, store }: FlowContext): Promise<UserRecord> {
  const { active, accountId } = await vrf.call('status', []);
  if (!active || !accountId) throw new LatchkeyError(LINKER_NOT_LOGGED_IN);
  const user = await store.user(accountId);
  if (!user?.clientNearPublicKey) throw new LatchkeyError(LINKER_HAS_NO_KEY);
  return user;
}

/** Checks that a QR code which names an account names this one. */
export function checkOwner({ accountId }: LinkDeviceQrData, { nearAccountId }: UserRecord): void {
  if (accountId === undefined || accountId === nearAccountId) return;
  const reason = `The other device asks for ${accountId}, but ${nearAccountId} is logged in here. Log in as ${accountId}, or show another code there.`;
  throw new LatchkeyError(ACCOUNT_NOT_OWNED, { values: { reason } });
}

/**
 * Checks that the account is on the chain, does not have the key yet, and can pay for what is sent immediately. The
 * refund of that pays for what is sent later.
 */
export async function checkOnChain(
  context: FlowContext,
  accountId: string,
  publicKey: string,
  toSend: readonly TransactionInput[],
  signal: AbortSignal,
): Promise<void> {
  const { rpc } = context;
  const [account, key, fees] = await Promise.all([
    retrying(() => rpc.viewAccount(accountId, { afterWrites: true, signal }), signal),
    retrying(
      () => rpc.viewAccessKey(accountId, publicKey, { agreed: true, signal, afterWrites: true }),
      signal,
    ),
    currentFees(context),
  ]);
  const values = { account: accountId };
  if (!account) throw notFound(accountId);
  context.contexts.learnAccount(accountId, account);
  if (key) throw new LatchkeyError(LINK_KEY_KNOWN, { values });
  const needed = completeTransactions(toSend).map((transaction) => neededFor(accountId, transaction, fees));
  assertSpendable(
    accountId,
    account,
    needed.reduce((sum, yocto) => sum + yocto, 0n),
    { comesBack: true },
  );
}

/** Checks that an account without a name is in the registry, which maps a device's key for recorded accounts alone. */
export async function checkRecorded(
  context: FlowContext,
  { nearAccountId: account, hasRegistryRecord = false }: UserRecord,
  signal: AbortSignal,
): Promise<void> {
  if (hasRegistryRecord || !isNearImplicitAccountId(account)) return;
  const reading = () => authenticatorsOf(context, account, signal, { certain: true });
  if ((await retrying(reading, signal)).length > 0) return;
  throw new LatchkeyError(DEVICE_NOT_RECORDED, { values: { account, cost: writeNear(KEPT_YOCTO) } });
}

/** Checks an amount of NEAR as text; the result echoes it. */
export function fundingAmount(amount: string): string {
  if (typeof amount !== 'string' || readNear(amount) === null) {
    throw new LatchkeyError(INVALID_FUNDING_AMOUNT);
  }
  return amount;
}
