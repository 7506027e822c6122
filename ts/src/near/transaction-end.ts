/** Whether a transaction that no block holds can still come: by its nonce, its key, and the block that it names. */
import type { Nodes, Params } from './asked-nodes.js';
import { queryResult, reader } from './rpc-answer.js';
import { rpcFailure } from './rpc-error.js';
import { AccessKeyViewSchema, BlockViewSchema } from './rpc-types.js';

/**
 * The chain accepts a transaction for this many blocks after its named block (nearcore's
 * transaction_validity_period). Nodes remember outcomes for at least as many.
 */
export const VALIDITY_BLOCKS = 86_400;

/** A transaction that is searched for. */
export interface Searched {
  readonly transactionId: string;
  readonly signerId: string;
  /** Unknown for later versions, which may number differently. */
  readonly publicKey?: string;
  readonly nonce?: bigint;
  /** The block that it names, or its height. */
  readonly names: { readonly block_id: string | null } | number;
}

/**
 * Why no later block can hold a transaction. `forgotten`: it expired after its nonce was spent, perhaps by itself.
 * `nameless`: its nonce is free, and no node knows the block that it names, which is too old or too new for them.
 */
export type End = 'refused' | 'expired' | 'forgotten' | 'nameless';

/** Asks as many nodes as must agree; undefined while it can still come, or if too few nodes answer. */
export async function endOf(
  nodes: Nodes,
  searched: Searched,
  asksAge: boolean,
  signal: AbortSignal | undefined,
): Promise<End | undefined> {
  try {
    const isOld = asksAge && (await isTooOld(nodes, searched.names, signal));
    const isSpent = await isNonceSpent(nodes, searched, signal);
    if (isOld === 'nameless') return isSpent ? 'forgotten' : 'nameless';
    if (isOld) return isSpent ? 'forgotten' : 'expired';
    return isSpent ? 'refused' : undefined;
  } catch (error) {
    if (!rpcFailure(error)) throw error;
    return undefined;
  }
}

/** Whether a final block has spent the nonce or removed the key. */
async function isNonceSpent(
  nodes: Nodes,
  { signerId, publicKey, nonce }: Searched,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (publicKey === undefined || nonce === undefined) return false;
  const params = {
    request_type: 'view_access_key',
    account_id: signerId,
    public_key: publicKey,
    finality: 'final',
  };
  const read = (result: unknown) => reader(AccessKeyViewSchema)(queryResult(result));
  return nodes.allSay(async (ask) => {
    try {
      return BigInt((await ask('query', params, read)).nonce) >= nonce;
    } catch (error) {
      const kind = rpcFailure(error)?.kind;
      if (kind === 'unknown_access_key' || kind === 'unknown_account') return true;
      throw error;
    }
  }, signal);
}

/** Whether the chain has advanced too far to accept a transaction that names this block. */
async function isTooOld(
  nodes: Nodes,
  names: Searched['names'],
  signal: AbortSignal | undefined,
): Promise<boolean | 'nameless'> {
  if (typeof names === 'object' && names.block_id === null) return false;
  try {
    return await nodes.allSay(async (ask) => {
      const heightOf = async (reference: Params) =>
        (await ask('block', reference, reader(BlockViewSchema))).header.height;
      const named = typeof names === 'number' ? names : await heightOf(names);
      return (await heightOf({ finality: 'final' })) > named + VALIDITY_BLOCKS;
    }, signal);
  } catch (error) {
    if (rpcFailure(error)?.causeName === 'UNKNOWN_BLOCK') return 'nameless';
    throw error;
  }
}
