/** What it costs the account to let a device join, and whether the account has that. */
import { ACCOUNT_NOT_FOUND, ACCOUNT_UNFUNDED, LatchkeyError } from '../../errors/account.js';
import { isNearImplicitAccountId } from '../../near/account-id.js';
import { assertSpendable, type FeeConfig, insufficientBalance, transactionCost } from '../../near/fees.js';
import { rpcFailure } from '../../near/index.js';
import type { Action, TransactionRequest } from '../../types.js';
import type { FlowContext } from '../context.js';
import { currentFees } from '../signing/cost.js';

/** Gas of link_device_register_user. */
export const REGISTRATION_GAS = 20_000_000_000_000n;
/** Approximate size of its arguments in bytes; each costs some 10^-8 NEAR, so precision does not matter. */
const REGISTRATION_BYTES = 3_000;
/** A placeholder: the chain prices a key by its action alone. */
const ANY_KEY = '';

/** Throws INSUFFICIENT_BALANCE when the account cannot buy the gas and attach `deposit` (yoctoNEAR). */
export async function assertFunded(
  context: FlowContext,
  accountId: string,
  deposit: string,
  signal: AbortSignal,
): Promise<void> {
  const { rpc, config } = context;
  const [account, fees] = await Promise.all([
    rpc.viewAccount(accountId, { afterWrites: true, signal }),
    currentFees(context),
  ]);
  if (!account) return;
  const swap: Action[] = [
    { type: 'AddKey', publicKey: ANY_KEY, accessKey: { permission: 'FullAccess' } },
    { type: 'DeleteKey', publicKey: ANY_KEY },
  ];
  const registration: Action = {
    type: 'FunctionCall',
    methodName: 'link_device_register_user',
    args: ' '.repeat(REGISTRATION_BYTES),
    gas: String(REGISTRATION_GAS),
    deposit,
  };
  // The swap is final, and its unused gas is refunded, before the registration is sent.
  const needed = [
    neededFor(accountId, { receiverId: accountId, actions: swap }, fees),
    neededFor(accountId, { receiverId: config.contractId, actions: [registration] }, fees),
  ].reduce((most, next) => (next > most ? next : most));
  assertSpendable(accountId, account, needed, { comesBack: true });
}

/** The yoctoNEAR needed before a transaction runs. */
export function neededFor(accountId: string, transaction: TransactionRequest, fees: FeeConfig): bigint {
  const { gasYocto, depositYocto } = transactionCost(accountId, transaction, fees);
  return gasYocto + depositYocto;
}

const AMOUNT = /^\d{1,39}$/;

/** Maps the chain's own "not enough" to INSUFFICIENT_BALANCE; undefined for any other error. */
export function asInsufficientBalance(error: unknown, accountId: string): LatchkeyError | undefined {
  const failure = rpcFailure(error);
  if (failure?.reason !== 'NotEnoughBalance' && failure?.reason !== 'LackBalanceForState') return undefined;
  const info = (failure.info ?? {}) as Readonly<Record<string, unknown>>;
  const yocto = (field: string): bigint => {
    const text = String(info[field] ?? '');
    return AMOUNT.test(text) ? BigInt(text) : 0n;
  };
  return insufficientBalance(accountId, yocto('balance'), yocto('cost') || yocto('amount'), {
    comesBack: true,
    cause: error,
  });
}

/** The error of a linking for an account that the chain does not know. */
export function notFound(account: string): LatchkeyError {
  const text = isNearImplicitAccountId(account) ? ACCOUNT_UNFUNDED : ACCOUNT_NOT_FOUND;
  return new LatchkeyError(text, { values: { account } });
}
