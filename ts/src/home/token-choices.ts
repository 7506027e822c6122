/** The tokens that the wallet's own page lists of an account (appState key `tokens:<account>`). */
import * as v from 'valibot';
import { isNearAccountId } from '../near/account-id.js';
import type { ActivityEntry } from '../storage/activity.js';

/** Of each kind, the newest that are kept. */
const MOST = 60;
/** Another version may change the record; this one reads and writes only its own. */
const VERSION = 1;

const Ids = v.array(v.pipe(v.string(), v.check(isNearAccountId)));
const ChoicesSchema = v.object({ version: v.literal(VERSION), added: Ids, hidden: Ids });
const StoredSchema = v.object({ version: v.number() });

type Choices = Pick<v.InferOutput<typeof ChoicesSchema>, 'added' | 'hidden'>;

/** The methods by which an account moves a contract's own token. */
const OF_TOKENS: readonly string[] = ['ft_transfer', 'ft_transfer_call', 'near_deposit', 'near_withdraw'];

export interface TokenChoices {
  /** Those that the operator names, those that the user added, then those that the account moved from this browser. */
  readonly contractIds: readonly string[];
  /** Those that the user does not want to see. */
  readonly hidden: readonly string[];
}

export function tokenChoices(
  stored: unknown,
  configured: readonly string[],
  activity: readonly ActivityEntry[],
): TokenChoices {
  const { added, hidden } = choicesOf(stored);
  const moved = activity.filter(({ actions }) => actions.some(isOfToken)).map(({ receiverId }) => receiverId);
  const all = [...new Set([...configured, ...added, ...moved])];
  return { contractIds: all.filter((each) => !hidden.includes(each)), hidden };
}

export const withAdded = (stored: unknown, contractId: string): unknown =>
  changed(stored, ({ added, hidden }) => ({
    added: newest(added, contractId),
    hidden: without(hidden, contractId),
  }));

export const withHidden = (stored: unknown, contractId: string): unknown =>
  changed(stored, ({ added, hidden }) => ({
    added: without(added, contractId),
    hidden: newest(hidden, contractId),
  }));

/** What is damaged, or another version's, counts as nothing. */
function choicesOf(stored: unknown): Choices {
  return v.is(ChoicesSchema, stored) ? stored : { added: [], hidden: [] };
}

function changed(stored: unknown, change: (choices: Choices) => Choices): unknown {
  if (v.is(StoredSchema, stored) && stored.version !== VERSION) return stored;
  return { version: VERSION, ...change(choicesOf(stored)) };
}

const isOfToken = (action: ActivityEntry['actions'][number]): boolean =>
  action.type === 'FunctionCall' && OF_TOKENS.includes(action.methodName);

const newest = (ids: readonly string[], contractId: string): string[] =>
  [...without(ids, contractId), contractId].slice(-MOST);
const without = (ids: readonly string[], contractId: string): string[] =>
  ids.filter((each) => each !== contractId);
