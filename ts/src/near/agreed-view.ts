/** What must match when nodes of several providers answer one view. */
import { base64 } from '@scure/base';
import { type AgreedQuestion, agreedAnswer, type Place } from './agreed.js';
import type { AccessKeyList, AccessKeyView, CallResult } from './rpc-types.js';

/** The answer to a view that the nodes agree on; see {@link agreedAnswer}. */
export function agreedView<N extends { readonly origin: string }, T extends object>(
  question: Omit<AgreedQuestion<N, T>, 'essence' | 'placeOf'>,
): Promise<T> {
  return agreedAnswer({ ...question, essence: essenceOf, placeOf });
}

/** A nonce grows with each transaction, and no key depends on it. */
function essenceOf(answer: object): unknown {
  if ('bytes' in answer) return base64.encode((answer as CallResult).bytes);
  if (!('keys' in answer)) return (answer as AccessKeyView).permission;
  return (answer as AccessKeyList).keys
    .map(({ public_key, access_key }) => [public_key, access_key.permission] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function placeOf(answer: object): Place {
  if ('bytes' in answer) {
    const { blockHeight: height, blockHash: hash } = answer as CallResult;
    return { height, hash };
  }
  const { block_height: height, block_hash: hash } = answer as AccessKeyList | AccessKeyView;
  return { height, hash };
}
