import * as v from 'valibot';
import type { ChainNodes } from '../balance.js';
import { type LatchkeyError, toLatchkeyError } from '../errors/account.js';
import { assertNearAccountId, isNearAccountId } from '../near/account-id.js';
import { clientOf, type TokenClient } from './client.js';
import { imitations } from './imitation.js';
import { indexedContracts } from './indexer.js';
import { asToken, metadataOf, type TokenMetadata } from './metadata.js';

/** A fungible token (NEP-141), and what an account has of it. */
export interface Token extends TokenMetadata {
  /** Decimal digits, in the token's smallest unit, as `ft_balance_of` of its contract says it. */
  readonly balance: string;
  /** What its name or symbol would be taken for: `'NEAR'`, or the contract of another token of the list. */
  readonly imitates?: string | undefined;
}

export interface TokenSources {
  /** The contracts of the tokens that the user or the app chose; the first 50 are read. */
  readonly contractIds: readonly string[];
  /**
   * An indexer with FastNEAR's account API, such as `https://api.fastnear.com`: it is asked which other tokens the account has,
   * and so learns the account and the network address of whoever looks. Default: none is asked.
   */
  readonly indexerUrl?: string | undefined;
}

export interface AccountTokens {
  /** Those that were chosen, in their order, then those that the indexer named and of which the account has some. */
  readonly tokens: readonly Token[];
  /** The chosen contracts that gave no token's answer, or none at all. */
  readonly unread: readonly { readonly contractId: string; readonly error: LatchkeyError }[];
  /** Why the indexer told nothing. */
  readonly indexerError?: LatchkeyError | undefined;
}

/** Of each kind: chosen, and named by the indexer. */
const MOST_TOKENS = 50;
const AT_A_TIME = 6;

export const BalanceSchema = v.pipe(v.string(), v.regex(/^\d{1,39}$/));

/**
 * Reads the tokens of an account from the chain: an indexer only names contracts, and what it says of balances never counts.
 * Resolves whatever a contract, the indexer or a node answers.
 */
export async function readTokens(
  nodes: ChainNodes,
  accountId: string,
  { contractIds, indexerUrl }: TokenSources,
): Promise<AccountTokens> {
  const client = clientOf(nodes);
  const chosen = [...new Set(contractIds)].filter(isNearAccountId).slice(0, MOST_TOKENS);
  const indexed =
    indexerUrl === undefined ? { contractIds: [] } : await indexedContracts(indexerUrl, accountId);
  const others = indexed.contractIds.filter((id) => !chosen.includes(id)).slice(0, MOST_TOKENS);
  const ofChosen = await inTurns(chosen, (contractId) => readOne(client, accountId, contractId));
  const ofOthers = await inTurns(others, (contractId) => readHeld(client, accountId, contractId));
  const tokens = [...ofChosen.filter(isToken), ...ofOthers.filter((each) => each !== undefined)];
  const imitated = imitations(tokens, chosen);
  return {
    tokens: tokens.map((token) => {
      const imitates = imitated.get(token.contractId);
      return { ...token, ...(imitates !== undefined && { imitates }) };
    }),
    unread: ofChosen.filter((each): each is Unread => !isToken(each)),
    ...(indexed.error && { indexerError: indexed.error }),
  };
}

/** One token of an account. Rejects with TOKEN_UNUSABLE if the contract keeps none, else with NEAR_RPC_FAILED. */
export async function readToken(nodes: ChainNodes, accountId: string, contractId: string): Promise<Token> {
  assertNearAccountId('contractId', contractId);
  const token = await tokenOf(clientOf(nodes), accountId, contractId);
  const imitates = imitations([token], []).get(contractId);
  return { ...token, ...(imitates !== undefined && { imitates }) };
}

type Unread = AccountTokens['unread'][number];

const isToken = (read: Token | Unread): read is Token => !('error' in read);

async function readOne(client: TokenClient, accountId: string, contractId: string): Promise<Token | Unread> {
  try {
    return await tokenOf(client, accountId, contractId);
  } catch (error) {
    return { contractId, error: toLatchkeyError(error, 'Reading a token') };
  }
}

/** Asks a contract that nobody chose for no more than its balance, unless there is one. */
async function readHeld(
  client: TokenClient,
  accountId: string,
  contractId: string,
): Promise<Token | undefined> {
  try {
    const balance = await balanceOf(client, accountId, contractId);
    return BigInt(balance) > 0n ? { ...(await metadataOf(client, contractId)), balance } : undefined;
  } catch {
    // The indexer's word alone brings no row.
    return undefined;
  }
}

async function tokenOf(client: TokenClient, accountId: string, contractId: string): Promise<Token> {
  const [metadata, balance] = await Promise.all([
    metadataOf(client, contractId),
    balanceOf(client, accountId, contractId),
  ]);
  return { ...metadata, balance };
}

/** From the newest block of one node: it is for show. */
function balanceOf({ rpc }: TokenClient, accountId: string, contractId: string): Promise<string> {
  const args = { account_id: accountId };
  return asToken(contractId, () =>
    rpc.callFunctionJson(BalanceSchema, contractId, 'ft_balance_of', args, { finality: 'optimistic' }),
  );
}

/** Nodes limit how much one visitor asks. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_A_TIME)
    results.push(...(await Promise.all(items.slice(at, at + AT_A_TIME).map(work))));
  return results;
}
