/** What the contracts of the moved tokens say about them. */

import * as v from 'valibot';
import { type TokenMove, tokenMoves } from '../../confirm/moves.js';
import type { TokenModel } from '../../confirm/port.js';
import { within } from '../../sleep.js';
import type { TransactionRequest } from '../../types.js';
import type { FlowContext } from '../context.js';

/** A confirmation opens without the names that come later. */
const LIMIT_MS = 1_000;
/** Asks no more contracts for one confirmation: the app chooses them. */
const MAX_CONTRACTS = 8;
const MAX_SYMBOL = 16;
/** Control, format, separator, mark and quote characters, and those that fonts leave out. */
const UNFIT = /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\p{Pi}\p{Pf}\u2800"'`„‚]/gu;

const Metadata = v.object({
  symbol: v.string(),
  decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(38)),
});

/** The metadata (NEP-148) that arrives in time. A contract without it, and a node that fails, leave a gap. */
export function tokensOf(
  context: Pick<FlowContext, 'rpc'>,
  transactions: readonly TransactionRequest[],
  limitMs = LIMIT_MS,
): Promise<readonly TokenModel[]> {
  return tokensInMoves(context, transactions.flatMap(tokenMoves), limitMs);
}

/** The same for the moves that a message allows. */
export async function tokensInMoves(
  { rpc }: Pick<FlowContext, 'rpc'>,
  moves: readonly TokenMove[],
  limitMs = LIMIT_MS,
): Promise<readonly TokenModel[]> {
  const counted = moves.filter(
    ({ does, amount, tokenId }) => isScaled(does) && amount !== undefined && tokenId === undefined,
  );
  const contracts = [...new Set(counted.map(({ token }) => token))].slice(0, MAX_CONTRACTS);
  if (contracts.length === 0) return [];
  const told: TokenModel[] = [];
  const over = new AbortController();
  const read = async (contractId: string): Promise<void> => {
    const options = { agreed: true, signal: over.signal };
    const said = await rpc.callFunctionJson(Metadata, contractId, 'ft_metadata', {}, options);
    const symbol = [...said.symbol.replace(UNFIT, '')].slice(0, MAX_SYMBOL).join('');
    if (symbol !== '') told.push({ contractId, symbol, decimals: said.decimals });
  };
  await within(limitMs, Promise.allSettled(contracts.map(read)), undefined);
  over.abort();
  return [...told];
}

function isScaled(does: string): boolean {
  return does === 'send' || does === 'withdraw' || does === 'unwrap' || does === 'destroy';
}
