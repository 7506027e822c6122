/** What an app key may do: the bounds that the chain enforces. */
import { INVALID_ACTION, LatchkeyError } from '../../errors/wallet.js';
import { isNearAccountId } from '../../near/account-id.js';
import { type AccessKeyView, gasKeyView } from '../../near/index.js';
import { readNear } from '../../near/near-amount.js';
import type { AppKey, AppKeyToMake, SignupPayment } from '../../types.js';
import { MAX_LANES } from '../signing/actions.js';

/** 0.25 NEAR: the fees of about a hundred calls. */
const DEFAULT_ALLOWANCE = '250000000000000000000000';
/** As many as an account with one passkey may store without a balance for it. */
const DEFAULT_LANES = 4;
// The chain's limits (near-parameters).
const MAX_METHOD_BYTES = 256;
const MAX_METHODS_BYTES = 2000;

export type Bounds = Pick<AppKey, 'receiverId' | 'methodNames' | 'allowance' | 'lanes'>;

/** What a function-call key may do, in a view; a gas key has no allowance. */
interface CallView {
  readonly receiver_id: string;
  readonly method_names: readonly string[];
  readonly allowance?: string | null;
}

/** The bounds of a function-call key, as the chain gives them; undefined for every other key. */
export function boundsOf(view: Pick<AccessKeyView, 'permission'>): Bounds | undefined {
  const { permission } = view;
  if (typeof permission !== 'object') return undefined;
  const call = (permission.FunctionCall ?? permission.GasKeyFunctionCall) as CallView | undefined;
  if (!call) return undefined;
  const { receiver_id: receiverId, method_names: methodNames, allowance = null } = call;
  const gasKey = gasKeyView(view);
  const left = gasKey ? { allowance: gasKey.balance, lanes: gasKey.num_nonces } : { allowance };
  return { receiverId, methodNames, ...left };
}

/** What is moved to a prepaid key, and its lanes. */
export interface Prepaid {
  /** yoctoNEAR. */
  readonly deposit: string;
  readonly numNonces: number;
}

/** What a key gets in advance; undefined for one with an allowance. Throws INVALID_ACTION for what the chain would refuse. */
export function checkedPrepaid({ prepaid, paidBy, lanes, allowance }: AppKeyToMake): Prepaid | undefined {
  if (paidBy !== undefined && paidBy !== 'account' && paidBy !== 'relay')
    throw invalid("The paidBy of an app key must be 'account' or 'relay'");
  if (prepaid === undefined) {
    if (paidBy === 'relay')
      throw invalid('The relay pays what an app key gets in advance: name it as prepaid');
    if (lanes === undefined) return undefined;
    throw invalid('The lanes of an app key need what it gets in advance, prepaid');
  }
  if (allowance !== undefined) throw invalid('An app key has an allowance or is prepaid, not both');
  const deposit = checkedDeposit(prepaid);
  const numNonces = lanes ?? DEFAULT_LANES;
  if (!Number.isInteger(numNonces) || numNonces < 1 || numNonces > MAX_LANES)
    throw invalid(`The lanes of an app key must be from 1 to ${MAX_LANES}`);
  return { deposit, numNonces };
}

/** The yoctoNEAR of what an app key gets in advance. Throws INVALID_ACTION for anything but an amount above 0. */
export function checkedDeposit(prepaid: unknown): string {
  const deposit = typeof prepaid === 'string' ? readNear(prepaid) : null;
  if (deposit === null || deposit === 0n)
    throw invalid("The prepaid of an app key must be above 0, in NEAR as a decimal text such as '0.1'");
  return String(deposit);
}

/** The voucher without which no relay pays. Throws INVALID_ACTION where there is none. */
export function checkedVoucher({ signupVoucher }: SignupPayment): string {
  if (typeof signupVoucher === 'string' && signupVoucher !== '') return signupVoucher;
  throw invalid(
    "The relay pays into an app key only for a voucher of the app's server: pass it as options.signupVoucher",
  );
}

/** For a network without gas keys, or one that does not tell. */
export function noGasKeys(): LatchkeyError {
  return invalid('The relay pays into gas keys, and this network does not say that it has them');
}

/** The bounds of a function-call key, complete. Throws INVALID_ACTION for what the chain would refuse, or the user regret. */
export function checkedBounds(
  { receiverId, methodNames: named, allowance = DEFAULT_ALLOWANCE }: AppKeyToMake,
  registry: string,
) {
  const methodNames = named ?? [];
  if (typeof receiverId !== 'string' || !isNearAccountId(receiverId))
    throw invalid('An app key needs the receiverId of a contract');
  if (receiverId === registry) {
    throw invalid(
      `An app key may not be for the registry ${registry}, which decides about the account's passkeys`,
    );
  }
  const size = (name: string) => new TextEncoder().encode(name).length;
  if (!Array.isArray(methodNames) || methodNames.some((name) => typeof name !== 'string')) {
    throw invalid('The methodNames of an app key must be a list of texts');
  }
  if (methodNames.some((name) => name === '' || size(name) > MAX_METHOD_BYTES)) {
    throw invalid(`Each method name of an app key must be of 1 to ${MAX_METHOD_BYTES} bytes`);
  }
  if (methodNames.reduce((sum, name) => sum + size(name) + 1, 0) > MAX_METHODS_BYTES) {
    throw invalid(`The method names of an app key may take ${MAX_METHODS_BYTES} bytes together`);
  }
  if (allowance !== null && (typeof allowance !== 'string' || !/^[1-9]\d*$/.test(allowance))) {
    throw invalid('The allowance of an app key must be above 0, in yoctoNEAR, or null for no limit');
  }
  return { receiverId, methodNames: [...methodNames], allowance };
}

function invalid(reason: string): LatchkeyError {
  return new LatchkeyError(INVALID_ACTION, { values: { reason } });
}
