/** The tokens that the wallet's own page lists, and what came in while it was open (appState keys `tokens:` and `received:`). */
import * as v from 'valibot';
import { isNearAccountId } from '../near/account-id.js';
import type { ActivityEntry } from '../storage/activity.js';
import type { Incoming } from '../tokens/incoming.js';

/** Each of an account's lists keeps its newest so many. */
const MOST = 60;
/** Another version may change the records; this one reads and writes only its own. */
const VERSION = 1;

const id = v.pipe(v.string(), v.check(isNearAccountId));
const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const ChoicesSchema = v.object({ version: v.literal(VERSION), added: v.array(id), hidden: v.array(id) });
const ReceivedSchema = v.object({
  version: v.literal(VERSION),
  entries: v.array(
    v.object({
      contractId: v.optional(id),
      amount: v.pipe(v.string(), v.regex(/^\d{1,39}$/)),
      at: whole,
      aboveBlock: whole,
      upToBlock: whole,
    }),
  ),
});

type Choices = v.InferOutput<typeof ChoicesSchema>;
type Received = v.InferOutput<typeof ReceivedSchema>;

/** The methods by which an account moves a contract's own token. */
const OF_TOKENS: readonly string[] = ['ft_transfer', 'ft_transfer_call', 'near_deposit', 'near_withdraw'];

export interface TokenChoices {
  /** Those that the operator names, those that the user added, then those that the account moved from this browser. */
  readonly contractIds: readonly string[];
  /** Those that the user does not want to see. */
  readonly hidden: readonly string[];
}

/** What is stored by another version, or damaged, counts as nothing. */
export function choicesOf(stored: unknown): Choices {
  return v.is(ChoicesSchema, stored) ? stored : { version: VERSION, added: [], hidden: [] };
}

export const withAdded = (stored: unknown, contractId: string): Choices => {
  const { added, hidden } = choicesOf(stored);
  return { version: VERSION, added: newest(added, contractId), hidden: without(hidden, contractId) };
};

export const withHidden = (stored: unknown, contractId: string): Choices => {
  const { added, hidden } = choicesOf(stored);
  return { version: VERSION, added: without(added, contractId), hidden: newest(hidden, contractId) };
};

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

const isOfToken = (action: ActivityEntry['actions'][number]): boolean =>
  action.type === 'FunctionCall' && OF_TOKENS.includes(action.methodName);

/** What came in, the newest first. */
export const receivedOf = (stored: unknown): Received['entries'] =>
  v.is(ReceivedSchema, stored) ? stored.entries : [];

/** Leaves out what another tab has noted: what came in above a block that an entry of the same token reaches beyond. */
export function withReceived(stored: unknown, incoming: Incoming): Received {
  const entries = receivedOf(stored);
  const isNoted = entries.some(
    ({ contractId, upToBlock }) => contractId === incoming.contractId && upToBlock > incoming.aboveBlock,
  );
  return { version: VERSION, entries: isNoted ? entries : [incoming, ...entries].slice(0, MOST) };
}

const newest = (ids: readonly string[], contractId: string): string[] =>
  [...without(ids, contractId), contractId].slice(-MOST);
const without = (ids: readonly string[], contractId: string): string[] =>
  ids.filter((each) => each !== contractId);
