/** Which tokens an account has, as an indexer with FastNEAR's account API says it (`/v1/account/{id}/ft`). */
import * as v from 'valibot';
import { readBounded } from '../bounded-body.js';
import { failedAs, type LatchkeyError, TOKEN_INDEXER_FAILED } from '../errors/account.js';
import { isNearAccountId } from '../near/account-id.js';

const TIMEOUT_MS = 8_000;
const MAX_BYTES = 512 * 1024;

const AnswerSchema = v.object({
  account_id: v.string(),
  tokens: v.array(v.object({ contract_id: v.string(), balance: v.optional(v.unknown()) })),
});

interface Indexed {
  /** Those first that have a balance as the indexer knows it: it may lag. */
  readonly contractIds: readonly string[];
  readonly error?: LatchkeyError;
}

export async function indexedContracts(indexerUrl: string, accountId: string): Promise<Indexed> {
  try {
    const { account_id: of, tokens } = v.parse(AnswerSchema, await ask(indexerUrl, accountId));
    if (of !== accountId) throw new TypeError('it answers for another account');
    const named = tokens.filter(({ contract_id: id }) => isNearAccountId(id));
    const isEmpty = ({ balance }: (typeof named)[number]): boolean => balance === '0';
    const inOrder = [...named.filter((each) => !isEmpty(each)), ...named.filter(isEmpty)];
    return { contractIds: [...new Set(inOrder.map(({ contract_id: id }) => id))] };
  } catch (error) {
    return { contractIds: [], error: failedAs(TOKEN_INDEXER_FAILED, error) };
  }
}

async function ask(indexerUrl: string, accountId: string): Promise<unknown> {
  const url = new URL(indexerUrl);
  // Its query may hold a key.
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/account/${accountId}/ft`;
  const response = await fetch(url, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new TypeError(`it answers ${response.status}`);
  const text = await readBounded(response, MAX_BYTES);
  if (text === undefined) throw new TypeError(`its answer is larger than ${MAX_BYTES} bytes`);
  return JSON.parse(text);
}
