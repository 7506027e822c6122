/**
 * What an account sent from this browser, for the wallet's own page (appState key `activity:<account>`). Holds what the
 * chain shows to everyone, and who asked; of the arguments of calls only what a token's transfer moves, and no secret.
 */
import * as v from 'valibot';
import { tokenMoves } from '../confirm/moves.js';
import { callBoundsOf } from '../near/key-permission.js';
import type { Action, TransactionFate, TransactionRequest } from '../types.js';
import type { WalletStore } from './store.js';

/** An account's newest transactions that are kept. */
export const MOST_ENTRIES = 60;
/** The actions of one transaction that are kept. */
export const MOST_ACTIONS = 5;
const LONGEST_TEXT = 256;

/** Another version may change the records; this one reads and writes only its own. */
const VERSION = 1;

const text = v.pipe(v.string(), v.maxLength(LONGEST_TEXT));
const yocto = v.pipe(v.string(), v.regex(/^\d{1,39}$/));
const FATES = ['executed', 'sent', 'failed', 'refused', 'unknown', 'not-sent'] as const;

const TokenSchema = v.object({ receiverId: text, amount: yocto });

const ActionSchema = v.variant('type', [
  v.object({ type: v.literal('Transfer'), amount: yocto }),
  v.object({
    type: v.literal('FunctionCall'),
    methodName: text,
    deposit: yocto,
    /** What it sends of the contract's own token (NEP-141), in the token's smallest unit. */
    token: v.optional(TokenSchema),
  }),
  v.object({ type: v.literal('Stake'), amount: yocto }),
  /** `contract`: the one that the key may call; without it, the key has full access. */
  v.object({ type: v.literal('AddKey'), publicKey: text, contract: v.optional(text) }),
  v.object({ type: v.literal('DeleteKey'), publicKey: text }),
  v.object({ type: v.literal('DeleteAccount'), beneficiaryId: text }),
  /** Any other, by the name of its type. */
  v.object({ type: v.literal('Other'), name: text }),
]);

const EntrySchema = v.object({
  /** Of the newest copy. */
  transactionId: text,
  /** When its first copy left, in milliseconds since 1970. */
  at: v.pipe(v.number(), v.integer(), v.minValue(0)),
  receiverId: text,
  actions: v.pipe(v.array(ActionSchema), v.maxLength(MOST_ACTIONS)),
  /** How many more actions it has. */
  more: v.pipe(v.number(), v.integer(), v.minValue(0)),
  fate: v.picklist(FATES),
  /** The origin of the app that asked; absent where the user asked on the wallet's own page. */
  host: v.optional(text),
  /** The id is the hash of a delegate, which no node knows: the relay has not named the transaction that carries it. */
  isDelegate: v.optional(v.literal(true)),
});

/** One action of a transaction, without its arguments. Amounts in yoctoNEAR. */
export type ActivityAction = v.InferOutput<typeof ActionSchema>;
/** One transaction that left this wallet. */
export type ActivityEntry = v.InferOutput<typeof EntrySchema>;

/** A transaction at the moment when a copy of it leaves. */
export interface Leaving extends TransactionRequest {
  readonly accountId: string;
  readonly transactionId: string;
  /** The copy that this one replaces, which the chain will never take. */
  readonly replaces?: string | undefined;
  readonly host?: string | undefined;
  /** The id is the hash of a delegate. */
  readonly isDelegate?: boolean;
}

/** The account's entries, the newest first. What another version wrote is left out. */
export async function readActivity(
  store: Pick<WalletStore, 'activity'>,
  accountId: string,
): Promise<readonly ActivityEntry[]> {
  return entriesOf(await store.activity(accountId)) ?? [];
}

/** Adds a transaction that leaves now, with the fate `unknown`. Drops the oldest above {@link MOST_ENTRIES}. */
export async function noteLeaving(
  store: Pick<WalletStore, 'updateActivity'>,
  { accountId, transactionId, replaces, receiverId, actions, host, isDelegate }: Leaving,
): Promise<void> {
  await change(store, accountId, (entries) => {
    const former = entries.find((entry) => entry.transactionId === (replaces ?? transactionId));
    const entry: ActivityEntry = {
      transactionId,
      at: former?.at ?? Date.now(),
      receiverId,
      actions: actions.slice(0, MOST_ACTIONS).map((action) => toActivity(receiverId, action)),
      more: Math.max(0, actions.length - MOST_ACTIONS),
      fate: 'unknown',
      ...(host !== undefined && { host }),
      ...(isDelegate && { isDelegate }),
    };
    return [entry, ...entries.filter((each) => each !== former)].slice(0, MOST_ENTRIES);
  });
}

/** Notes what became of transactions. The fate `unknown` changes nothing. */
export async function noteFates(
  store: Pick<WalletStore, 'updateActivity'>,
  accountId: string,
  fates: ReadonlyMap<string, TransactionFate>,
): Promise<void> {
  await change(store, accountId, (entries) =>
    entries.map((entry) => {
      const fate = fates.get(entry.transactionId);
      return fate === undefined || fate === 'unknown' ? entry : { ...entry, fate };
    }),
  );
}

function change(
  store: Pick<WalletStore, 'updateActivity'>,
  accountId: string,
  edit: (entries: readonly ActivityEntry[]) => readonly ActivityEntry[],
): Promise<void> {
  return store.updateActivity(accountId, (stored) => {
    const entries = entriesOf(stored);
    // A newer version's records stay as they are.
    return entries ? { version: VERSION, entries: edit(entries) } : stored;
  });
}

const StoredSchema = v.object({ version: v.number(), entries: v.array(v.unknown()) });

/** Undefined for the records of another version. An entry that does not fit is left out. */
function entriesOf(stored: unknown): readonly ActivityEntry[] | undefined {
  if (!v.is(StoredSchema, stored)) return [];
  if (stored.version !== VERSION) return undefined;
  return stored.entries.flatMap((entry) => {
    const parsed = v.safeParse(EntrySchema, entry);
    return parsed.success ? [parsed.output] : [];
  });
}

function toActivity(contractId: string, action: Action): ActivityAction {
  switch (action.type) {
    case 'Transfer':
      return { type: 'Transfer', amount: action.amount };
    case 'FunctionCall':
      return {
        type: 'FunctionCall',
        methodName: action.methodName.slice(0, LONGEST_TEXT),
        deposit: action.deposit,
        ...sentBy(contractId, action),
      };
    case 'Stake':
      return { type: 'Stake', amount: action.stake };
    case 'AddKey': {
      const contract = callBoundsOf(action.accessKey.permission)?.receiverId;
      return { type: 'AddKey', publicKey: keyText(action), ...(contract !== undefined && { contract }) };
    }
    case 'DeleteKey':
      return { type: 'DeleteKey', publicKey: keyText(action) };
    case 'DeleteAccount':
      return { type: 'DeleteAccount', beneficiaryId: action.beneficiaryId };
    default:
      return { type: 'Other', name: action.type };
  }
}

/** The beginning of a key that is longer than an entry keeps: an ML-DSA-65 key. */
function keyText({ publicKey }: { readonly publicKey: string }): string {
  return publicKey.slice(0, LONGEST_TEXT);
}

function sentBy(contractId: string, action: Action): { token?: { receiverId: string; amount: string } } {
  const [move, ...others] = tokenMoves({ receiverId: contractId, actions: [action] });
  if (move?.does !== 'send' || move.token !== contractId || move.tokenId !== undefined || others.length > 0)
    return {};
  const token = { receiverId: move.receiverId, amount: move.amount };
  return v.is(TokenSchema, token) ? { token } : {};
}
