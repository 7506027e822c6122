/** How long delegates are good, and which nonces they may have: bounded, whatever the caller wants. */

import type { DelegateModel } from '../../confirm/port.js';
import { LatchkeyError } from '../../errors/index.js';
import type { UserRecord } from '../../storage/records.js';
import { beforeAsking } from '../before-asking.js';
import type { FlowContext } from '../context.js';
import { beginSigning } from './approve.js';

/** About six minutes at 0.6 s per block. */
const DEFAULT_BLOCKS = 600;
/** The relay refuses a delegate with fewer blocks left, or with more. */
const MIN_BLOCKS = 10;
const MAX_BLOCKS = 86_400;
/**
 * A nonce that the caller chose is at most this far above the key's. Once it is carried out, the chain refuses every lower
 * one that was signed.
 */
const MAX_NONCES_AHEAD = 1_000n;
const DIGITS = /^(0|[1-9]\d{0,19})$/;

/** What a caller may want of one delegate, both decimal strings. */
export interface DelegateWish {
  readonly nonce?: string | undefined;
  readonly maxBlockHeight?: string | undefined;
}

/** One item for each delegate, in order. */
export interface DelegateLimits extends Pick<DelegateModel, 'validForBlocks' | 'maxBlockHeights'> {
  /** Undefined: the wallet takes its next one. */
  readonly nonces: readonly (string | undefined)[];
}

/** Checks what the caller wants against the chain, before the user is asked. Throws INVALID_ACTION, naming the field. */
export async function delegateLimits(
  context: FlowContext,
  user: UserRecord,
  wishes: readonly DelegateWish[],
  validForBlocks = DEFAULT_BLOCKS,
  signal: AbortSignal,
): Promise<DelegateLimits> {
  if (!Number.isInteger(validForBlocks) || validForBlocks < MIN_BLOCKS || validForBlocks > MAX_BLOCKS) {
    throw invalid(`validForBlocks must be a whole number from ${MIN_BLOCKS} to ${MAX_BLOCKS}`);
  }
  const nonces = wishes.map(({ nonce }) => nonce);
  const heights = wishes.map(({ maxBlockHeight }) => maxBlockHeight);
  const given = nonces.filter((nonce) => nonce !== undefined);
  const isAbsolute = heights.some((height) => height !== undefined);
  if (given.length === 0 && !isAbsolute) return { validForBlocks, nonces };

  const reading = await beforeAsking(context, signal, beginSigning(context, user));
  checkNonces(given, BigInt(reading.accessKey.nonce));
  if (!isAbsolute) return { validForBlocks, nonces };
  const block = BigInt(reading.blockHeight);
  const maxBlockHeights = heights.map((height) =>
    height === undefined ? String(block + BigInt(validForBlocks)) : checkedHeight(height, block),
  );
  const left = maxBlockHeights.map((height) => Number(BigInt(height) - block));
  return { validForBlocks: Math.max(...left), maxBlockHeights, nonces };
}

function checkNonces(nonces: readonly string[], reached: bigint): void {
  for (const nonce of nonces) {
    const ahead = DIGITS.test(nonce) ? BigInt(nonce) - reached : 0n;
    if (ahead < 1n || ahead > MAX_NONCES_AHEAD) {
      throw invalid(
        `the nonce of a delegate must be above ${reached}, the key's own, by at most ${MAX_NONCES_AHEAD}: a higher one would ` +
          'lapse whatever is signed before it',
      );
    }
  }
  if (new Set(nonces).size < nonces.length) throw invalid('each delegate needs a nonce of its own');
}

function checkedHeight(height: string, block: bigint): string {
  const ahead = DIGITS.test(height) ? BigInt(height) - block : 0n;
  if (ahead < 1n || ahead > BigInt(MAX_BLOCKS)) {
    throw invalid(`maxBlockHeight must be above ${block}, the last block, by at most ${MAX_BLOCKS}`);
  }
  return height;
}

function invalid(reason: string): LatchkeyError {
  return new LatchkeyError('INVALID_ACTION', { values: { reason } });
}
