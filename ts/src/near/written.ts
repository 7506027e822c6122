/** The blocks of our writes: what a later view must have reached. */
import type { RpcClient } from './rpc-client.js';
import type { TransactionOutcome } from './rpc-types.js';

/** Tells the client of the blocks in which an outcome took effect; see {@link RpcClient.noteWrite}. Asks no node. */
export function noteOutcome(
  rpc: Pick<RpcClient, 'noteWrite'>,
  { transaction_outcome: own, receipts_outcome: receipts = [] }: Partial<TransactionOutcome>,
): void {
  for (const outcome of [own, ...receipts]) {
    if (typeof outcome?.block_hash === 'string') rpc.noteWrite(outcome.block_hash);
  }
}
