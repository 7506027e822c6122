/** What an app key may do: the bounds that the chain enforces. */
import { INVALID_ACTION, LatchkeyError } from '../../errors/wallet.js';
import { isNearAccountId } from '../../near/account-id.js';
import type { AccessKeyView } from '../../near/index.js';
import type { AppKey, AppKeyToMake } from '../../types.js';

/** 0.25 NEAR: the fees of about a hundred calls. */
const DEFAULT_ALLOWANCE = '250000000000000000000000';
// The chain's limits (near-parameters).
const MAX_METHOD_BYTES = 256;
const MAX_METHODS_BYTES = 2000;

export type Bounds = Pick<AppKey, 'receiverId' | 'methodNames' | 'allowance'>;

/** The bounds of a function-call key, as the chain gives them; undefined for every other key. */
export function boundsOf({ permission }: Pick<AccessKeyView, 'permission'>): Bounds | undefined {
  if (typeof permission !== 'object' || !('FunctionCall' in permission)) return undefined;
  const { receiver_id, method_names, allowance } = permission.FunctionCall as {
    readonly receiver_id: string;
    readonly method_names: readonly string[];
    readonly allowance: string | null;
  };
  return { receiverId: receiver_id, methodNames: method_names, allowance };
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
