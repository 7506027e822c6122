/** The nonces of an access key. */
import * as v from 'valibot';
import type { RpcFailure } from './rpc-error.js';
import type { AccessKeyView } from './rpc-types.js';

/**
 * The chain accepts no nonce from block height times this upwards (nearcore's ACCESS_KEY_NONCE_RANGE_MULTIPLIER).
 * Nodes do not check that when they take a transaction: it is lost later.
 */
export const NONCES_PER_BLOCK = 1_000_000n;

const InvalidNonceSchema = v.object({ ak_nonce: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) });

/** The nonce that the key has reached on the chain, as a refusal for `InvalidNonce` names it. */
export function reachedNonce(refusal: RpcFailure | undefined): bigint | undefined {
  const named = v.safeParse(InvalidNonceSchema, refusal?.info);
  return refusal?.reason === 'InvalidNonce' && named.success ? BigInt(named.output.ak_nonce) : undefined;
}

/**
 * The nonce that the key has reached by a reading and by a refusal: the node that refused may be ahead of the one that
 * was read. Ignores a refusal that names a nonce which the chain could not have accepted.
 */
export function highestNonce(
  { nonce, block_height }: AccessKeyView,
  refusal: RpcFailure | undefined,
): bigint {
  const read = BigInt(nonce);
  const named = reachedNonce(refusal) ?? 0n;
  return named > read && named < BigInt(block_height) * NONCES_PER_BLOCK ? named : read;
}
