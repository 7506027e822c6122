import * as v from 'valibot';
import { LatchkeyError, messageOf, TOKEN_UNUSABLE } from '../errors/account.js';
import { rpcFailure } from '../near/rpc-error.js';
import { shownName, shownSymbol, TokenMetadataSchema } from '../near/token-metadata.js';
import type { TokenClient } from './client.js';

/** What a token's contract says of itself (NEP-148), without what would deceive. Any contract can say anything. */
export interface TokenMetadata {
  /** The contract that keeps the token: the only name that no other token can have. */
  readonly contractId: string;
  /** At most 16 characters. */
  readonly symbol: string;
  /** At most 40 characters. */
  readonly name: string;
  /** How many digits of an amount stand behind the point: 0 to 38. */
  readonly decimals: number;
  /** A picture as a data URL, of at most 64 KB. Draw it with an `img`, which runs no script. */
  readonly icon?: string | undefined;
}

const LONGEST_ICON = 64 * 1024;
/** No address: that would tell its server who looks. */
const ICON = /^data:image\/(?:svg\+xml|png|jpeg|gif|webp|avif)[;,]/i;

const WithIconSchema = v.object({
  ...TokenMetadataSchema.entries,
  name: v.string(),
  icon: v.optional(v.unknown()),
});

/** Asks each contract once; one that failed is asked again. Rejects with TOKEN_UNUSABLE or NEAR_RPC_FAILED. */
export function metadataOf({ rpc, metadata }: TokenClient, contractId: string): Promise<TokenMetadata> {
  const known = metadata.get(contractId);
  if (known) return known;
  const asked = readMetadata(rpc, contractId);
  metadata.set(contractId, asked);
  asked.catch(() => metadata.delete(contractId));
  return asked;
}

async function readMetadata(rpc: TokenClient['rpc'], contractId: string): Promise<TokenMetadata> {
  // A wrong number of decimals would change what a typed amount means.
  const said = await asToken(contractId, () =>
    rpc.callFunctionJson(WithIconSchema, contractId, 'ft_metadata', {}, { agreed: true }),
  );
  const symbol = shownSymbol(said.symbol);
  if (symbol === '') throw unusable(contractId, 'its symbol has no visible character');
  const { icon } = said;
  const isIcon = typeof icon === 'string' && icon.length <= LONGEST_ICON && ICON.test(icon);
  return {
    contractId,
    symbol,
    name: shownName(said.name) || symbol,
    decimals: said.decimals,
    ...(isIcon && { icon }),
  };
}

/** Tells a contract that does not answer as a token does from nodes that do not answer. */
export async function asToken<T>(contractId: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const kind = rpcFailure(error)?.kind;
    const isContracts =
      kind === 'contract' || kind === 'no_contract' || kind === 'unknown_account' || kind === 'malformed';
    throw isContracts ? unusable(contractId, messageOf(error), error) : error;
  }
}

export const unusable = (contractId: string, reason: string, cause?: unknown): LatchkeyError =>
  new LatchkeyError(TOKEN_UNUSABLE, { values: { contractId, reason }, cause });
