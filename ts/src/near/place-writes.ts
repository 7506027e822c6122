/** The heights of blocks that are known by hash, as those of our writes are. A node that lags knows them later. */
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
      const height = await heightOfBlock(rpc, hash, signal);
      if (height !== undefined) rpc.noteWrite(height);
      hashes.delete(hash);
    }),
  );
}

/** The height of a block that a node has named; undefined where no node knows it, also after some seconds. */
export async function heightOfBlock(
  rpc: Pick<RpcClient, 'block'>,
  blockId: string,
  signal?: AbortSignal,
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
