/** The block of a write: what a later view must have reached. */

import type { RpcClient } from './rpc.js';
import { isTransient, rpcFailure } from './rpc-error.js';
import type { TransactionOutcome } from './rpc-types.js';
import { sleep } from './sleep.js';

const ATTEMPTS = 5;
const PAUSE_MS = 400;

/**
 * Tells the client of the last block in which an outcome took effect; see {@link RpcClient.noteWrite}. Changes nothing
 * where no node knows the block.
 */
export async function noteOutcome(
  rpc: Pick<RpcClient, 'block' | 'noteWrite'>,
  { transaction_outcome: own, receipts_outcome: receipts = [] }: Partial<TransactionOutcome>,
  signal?: AbortSignal,
): Promise<void> {
  const hashes = [own, ...receipts].map((outcome) => outcome?.block_hash);
  const blocks = new Set(hashes.filter((hash): hash is string => typeof hash === 'string'));
  await Promise.all([...blocks].map((hash) => noteBlock(rpc, hash, signal)));
}

/** A node that lags does not know the block yet. */
async function noteBlock(
  rpc: Pick<RpcClient, 'block' | 'noteWrite'>,
  blockId: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return rpc.noteWrite((await rpc.block({ blockId }, { signal })).header.height);
    } catch (error) {
      const failure = rpcFailure(error);
      if (!failure || !isTransient(failure)) throw error;
      if (attempt === ATTEMPTS) return;
      await sleep(PAUSE_MS, signal);
    }
  }
}
