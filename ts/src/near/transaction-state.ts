/**
 * Knows what became of a transaction: sends its bytes and looks for it, until its fate is certain.
 *
 * ```text
 *   not-seen ──send──▶ in-pool ──▶ included ──▶ executed ──▶ final
 *       └──────────────────┴─────▶ refused, expired: in no block, and never will be
 *                          └─────▶ unknown: the nodes have forgotten, or do not answer
 * ```
 *
 * How nodes answer (nearcore, `chain/jsonrpc/src/lib.rs`) makes the rules:
 *
 * - Look-ups ask for level NONE: every other level makes the node wait before it says no.
 * - A transaction that no block holds may wait in a pool, or be lost: nodes forward it once. Sending the same bytes
 *   again is harmless, because the chain executes them once.
 * - A transaction is refused when a final block has spent its nonce, and look-ups after that find nothing. It has
 *   expired when the final block is too far above the block that it names and its nonce is still free.
 * - A nonce spent on an expired transaction proves nothing: nodes forget outcomes that are as old.
 * - What would make someone pay again takes the word of several providers, where several must agree: that the transaction
 *   is refused, and that it failed. A node that turns the bytes away, because it is busy, may keep them: their outcome is
 *   unknown, unless every node is on this machine.
 */

import { sleep } from '../sleep.js';
import type { WaitUntil } from '../types.js';
import type { Nodes } from './asked-nodes.js';
import type { TransactionOutcome, TransactionState } from './rpc-types.js';
import { endOf } from './transaction-end.js';
import { readSignedTransaction } from './transaction-id.js';
import { backoffMs, isBelieved, LOOKS_ALONE, look, POLL_MS } from './transaction-look.js';
import { Sending, type SendOptions } from './transaction-sending.js';

export { lookUp } from './transaction-look.js';

/** A transaction without its bytes, as a journal keeps it. */
export interface NotedTransaction {
  readonly transactionId: string;
  readonly signerId: string;
  /** The key that signed it. */
  readonly publicKey: string;
  readonly nonce: bigint;
  /** Of the block that it names. */
  readonly blockHeight: number;
}

/** Time in which an executed transaction usually becomes final. */
const FINALITY_MS = 10_000;

/** Sends until the transaction has reached a level. `RpcClient.sendTransaction` says how it ends. */
export async function sendTransaction(
  nodes: Nodes,
  signed: Uint8Array,
  waitUntil: WaitUntil,
  options: SendOptions,
): Promise<TransactionOutcome> {
  const { transactionId, signerId, accessKey, blockHash } = await readSignedTransaction(signed);
  // At NONE a node checks nothing, and its answer is no acceptance.
  const level = waitUntil === 'NONE' ? 'INCLUDED' : waitUntil;
  const copy = { transactionId, signerId, ...accessKey, names: { block_id: blockHash }, signed, level };
  return new Sending(nodes, copy, options).run();
}

/**
 * Looks a noted transaction up, and tells `refused` and `expired` only for certain. Waits some seconds for one that a
 * block holds to become final. Sends nothing.
 */
export async function transactionState(
  nodes: Nodes,
  noted: NotedTransaction,
  signal?: AbortSignal,
): Promise<TransactionState> {
  const giveUpAt = Date.now() + FINALITY_MS;
  for (let looksInVain = 0; ; ) {
    // Must precede the look: what no block holds once its nonce is spent can never enter one.
    const end = await endOf(nodes, { ...noted, names: noted.blockHeight }, true, signal);
    const seen = await look(nodes, noted, signal);
    if (seen !== 'in-no-block') {
      const isSettled = seen.name === 'final' || seen.name === 'in-pool';
      if (isSettled || Date.now() >= giveUpAt) {
        return (await isBelieved(nodes, noted, seen, signal)) ? seen : { name: 'in-pool' };
      }
      await sleep(POLL_MS, signal);
      continue;
    }
    if (!end || end === 'nameless') return { name: 'in-pool' };
    looksInVain += 1;
    if (looksInVain === LOOKS_ALONE) return { name: end === 'forgotten' ? 'unknown' : end };
    await sleep(backoffMs(looksInVain - 1), signal);
  }
}
