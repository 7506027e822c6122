/** A view that judges a block which another client names, as the registry judges the block of a challenge. */

import { sleep } from '../sleep.js';
import type { CallResult } from './rpc-answer.js';
import type { FunctionArgs, RpcClient } from './rpc-client.js';

/** Nodes usually lag by several blocks, and a client names a final one, which is two or three below its node's newest. */
const MAX_AHEAD = 10;
/** Pauses without a new block: 12 seconds. */
const MAX_STILL = 20;
/** A NEAR chain usually makes one block in a pause. */
const PAUSE_MS = 600;
/** Where blocks are slow. */
const MAX_PAUSES = 60;

/**
 * Calls a view that refuses a block of the future. A node that lags refuses a block that another node has: while an
 * answer comes from below `height`, the named block's, a refusal is asked again, while the chain makes
 * {@link MAX_AHEAD} blocks and for 36 seconds at most. A block further than that above the node's is an invention, or too
 * far away to wait for.
 */
export async function viewVerdict(
  rpc: Pick<RpcClient, 'callFunction'>,
  call: readonly [contractId: string, method: string, args: FunctionArgs],
  height: number,
  accept: (answer: CallResult) => boolean,
  signal?: AbortSignal,
): Promise<CallResult> {
  // The patience counts the chain's own blocks: those that may still come, and pauses without a new one.
  let [left, still, highest] = [MAX_AHEAD, MAX_STILL, 0];
  for (let pauses = MAX_PAUSES; ; pauses -= 1) {
    const answer = await rpc.callFunction(...call, { finality: 'optimistic', accept, agreed: true, signal });
    const { blockHeight } = answer;
    if (accept(answer) || blockHeight >= height || height - blockHeight > left || !(still && pauses))
      return answer;
    still -= 1;
    if (blockHeight > highest) {
      // The first answer's block was there before the wait.
      if (highest > 0) left -= 1;
      [highest, still] = [blockHeight, MAX_STILL];
    }
    await sleep(PAUSE_MS, signal);
  }
}
