/**
 * Taking a key off its account. What is on a gas key goes back to the account in the transaction that deletes the key: the
 * chain burns up to 1 NEAR that is left on it, and deletes none that has more. Anybody can pay into it meanwhile.
 */
import { isLatchkeyError } from '../errors/latchkey-error.js';
import {
  type AccessKeyView,
  actionErrorKind,
  executionFailure,
  gasKeyView,
  type TransactionOutcome,
} from '../near/index.js';
import type { Action } from '../types.js';

/** As often a deletion is tried, each time with a prompt. */
const MOST_TRIES = 3;
/** The chain's names for a gas key whose balance changed after it was read: nothing happened, and the key is still there. */
const CHANGED: readonly unknown[] = ['GasKeyBalanceTooHigh', 'InsufficientGasKeyBalance'];

/** The actions that delete a key with what a view has told of it. */
export function deletionOf(publicKey: string, view: Pick<AccessKeyView, 'permission'>): Action[] {
  const amount = gasKeyView(view)?.balance ?? '0';
  const withdrawal: Action[] = amount === '0' ? [] : [{ type: 'WithdrawFromGasKey', publicKey, amount }];
  return [...withdrawal, { type: 'DeleteKey', publicKey }];
}

/** Reads and deletes a key, again where its balance changed in between. */
export async function unlessChanged<T>(deletion: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await deletion();
    } catch (error) {
      if (tries === MOST_TRIES || !hasChanged(error)) throw error;
    }
  }
}

function hasChanged(error: unknown): boolean {
  const outcome = isLatchkeyError(error) ? error.details.outcome : undefined;
  if (typeof outcome !== 'object' || outcome === null || !('status' in outcome)) return false;
  return CHANGED.includes(actionErrorKind(executionFailure(outcome as TransactionOutcome)));
}
