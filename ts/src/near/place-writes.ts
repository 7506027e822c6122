/** The heights of the blocks that hold our writes. Loaded when a view depends on one. */
import type { RpcClient } from './rpc.js';
import { isTransient, rpcFailure } from './rpc-error.js';
import { sleep } from './sleep.js';

const ATTEMPTS = 5;
const PAUSE_MS = 400;

/** Looks up the heights of blocks that hold our writes. Drops a block that no node knows. */
export async function placeWrites(
  rpc: Pick<RpcClient, 'block' | 'noteWrite'>,
  hashes: Set<string>,
  signal: AbortSignal | undefined,
): Promise<void> {
  await Promise.all(
    [...hashes].map(async (hash) => {
      const height = await heightOf(rpc, hash, signal);
      if (height !== undefined) rpc.noteWrite(height);
      hashes.delete(hash);
    }),
  );
}

/** A node that lags does not know the block yet. */
async function heightOf(
  rpc: Pick<RpcClient, 'block'>,
  blockId: string,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await rpc.block({ blockId }, { signal })).header.height;
    } catch (error) {
      const failure = rpcFailure(error);
      if (!failure) throw error;
      if (attempt === ATTEMPTS || !isTransient(failure)) return undefined;
      await sleep(PAUSE_MS, signal);
    }
  }
}
