/** Blocks that are known by hash, as those of our writes are. A node that lags knows them later. */

import { sleep } from '../sleep.js';
import type { RpcClient } from './rpc-client.js';
import { isTransient, rpcFailure } from './rpc-error.js';

const ATTEMPTS = 6;
const PAUSE_MS = 400;

/** Looks up the heights of blocks that hold our writes. Drops a block that no node knows. */
export async function placeWrites(
  rpc: Pick<RpcClient, 'block' | 'noteWrite'>,
  hashes: Set<string>,
  signal: AbortSignal | undefined,
): Promise<void> {
  await Promise.all(
    [...hashes].map(async (hash) => {
      rpc.noteWrite(await heightOfBlock(rpc, hash, signal));
      hashes.delete(hash);
    }),
  );
}

/** The height of a block that a node has named; 0 where no node knows it, also after some seconds. */
export async function heightOfBlock(
  rpc: Pick<RpcClient, 'block'>,
  blockId: string,
  signal?: AbortSignal,
): Promise<number> {
  try {
    return (await onceKnown(() => rpc.block({ blockId }, { signal }), signal)).header.height;
  } catch (error) {
    if (!rpcFailure(error)) throw error;
    return 0;
  }
}

/** Asks about a block that a node has named, until one that lags behind the same address knows it too. */
export async function onceKnown<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const failure = rpcFailure(error);
      if (attempt === ATTEMPTS || !failure || !isTransient(failure)) throw error;
      await sleep(PAUSE_MS, signal);
    }
  }
}
