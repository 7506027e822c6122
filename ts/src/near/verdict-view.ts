/** A view that judges a block which another client names, as the registry judges the block of a challenge. */
import type { FunctionArgs, RpcClient } from './rpc-client.js';
import type { CallResult } from './rpc-types.js';
import { sleep } from './sleep.js';

/** A NEAR chain makes about one block in a pause. Nodes usually lag by several blocks. */
const MAX_AHEAD = 20;
const PAUSE_MS = 600;

/**
 * Calls a view that refuses a block of the future. A node that lags refuses a block that another node has: while an
 * answer comes from below `height`, the named block's, a refusal is asked again, for 12 seconds at most. A block further
 * than {@link MAX_AHEAD} above the node's is an invention, or too far away to wait for.
 */
export async function viewVerdict(
  rpc: Pick<RpcClient, 'callFunction'>,
  call: readonly [contractId: string, method: string, args: FunctionArgs],
  height: number,
  accept: (answer: CallResult) => boolean,
  signal?: AbortSignal,
): Promise<CallResult> {
  for (let left = MAX_AHEAD; ; left -= 1) {
    const answer = await rpc.callFunction(...call, { finality: 'optimistic', accept, agreed: true, signal });
    const ahead = height - answer.blockHeight;
    if (accept(answer) || !(ahead > 0 && ahead <= left)) return answer;
    await sleep(PAUSE_MS, signal);
  }
}
