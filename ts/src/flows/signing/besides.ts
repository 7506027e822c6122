/**
 * What a confirmation shows next to the transactions: what they cost, open payments that are equal to one of them, the
 * devices that they remove, the tokens that they move, and the recipients. A message that moves tokens shows the latter two.
 */
import { movesOfMessage } from '../../confirm/moves.js';
import type {
  RecipientModel,
  RepeatedModel,
  TokenModel,
  TransactionsConfirmModel,
} from '../../confirm/port.js';
import { transactionsDigest } from '../../intent/index.js';
import type { Action, SignNep413Params, TransactionRequest } from '../../types.js';
import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';
import { chainIdOf } from './batch-journal.js';
import { costOf } from './cost.js';
import { markedInMoves, markedRecipients } from './recipients.js';
import { removedDevices } from './removed-devices.js';
import { tokensInMoves, tokensOf } from './tokens.js';

export type Besides = Pick<
  TransactionsConfirmModel,
  'cost' | 'repeats' | 'removes' | 'tokens' | 'recipients'
>;

/** Rejects as {@link costOf} does. `temporaryKey` is the one that a linking adds and deletes with them. */
export async function besides(
  context: FlowContext,
  accountId: string,
  transactions: readonly TransactionRequest[],
  temporaryKey?: string,
): Promise<Besides> {
  const [cost, others] = await Promise.all([
    costOf(context, accountId, transactions),
    besidesDelegate(context, accountId, transactions, temporaryKey),
  ]);
  return { ...(cost && { cost }), ...others };
}

/** The same for a delegate, which costs the account no fee. */
export async function besidesDelegate(
  context: FlowContext,
  accountId: string,
  transactions: readonly TransactionRequest[],
  temporaryKey?: string,
): Promise<Omit<Besides, 'cost'>> {
  const [repeats, removes, tokens, recipients] = await Promise.all([
    openRepeats(context, accountId, transactions),
    removedDevices(context, accountId, transactions, temporaryKey).catch((error: unknown) =>
      warn(context.config, 'The devices that this removes could not be read', error),
    ),
    tokensOf(context, transactions),
    markedRecipients(context, accountId, transactions),
  ]);
  return { ...repeats, ...(removes?.length && { removes }), ...given({ tokens, recipients }) };
}

/** The same for a message that lets its recipient, a contract, move tokens. Any other message shows only itself. */
export async function besidesMessage(
  context: Pick<FlowContext, 'store' | 'config' | 'rpc'>,
  accountId: string,
  { message, recipient }: Pick<SignNep413Params, 'message' | 'recipient'>,
): Promise<Pick<Besides, 'tokens' | 'recipients'>> {
  const moves = movesOfMessage(message, recipient) ?? [];
  const [tokens, recipients] = await Promise.all([
    tokensInMoves(context, moves),
    markedInMoves(context, accountId, moves),
  ]);
  return given({ tokens, recipients });
}

/** Leaves out what is empty. */
function given({
  tokens,
  recipients,
}: {
  readonly tokens: readonly TokenModel[];
  readonly recipients: readonly RecipientModel[];
}): Pick<Besides, 'tokens' | 'recipients'> {
  return { ...(tokens.length > 0 && { tokens }), ...(recipients.length > 0 && { recipients }) };
}

/** The payments of unknown outcome that these would repeat. A journal that cannot be read stops nothing. */
async function openRepeats(
  context: Pick<FlowContext, 'store' | 'config'>,
  accountId: string,
  transactions: readonly TransactionRequest[],
): Promise<Pick<Besides, 'repeats'>> {
  try {
    const repeats = await repeatedPayments(context, accountId, transactions);
    return repeats.length > 0 ? { repeats } : {};
  } catch (error) {
    warn(context.config, 'The payments that are not settled yet could not be read', error);
    return {};
  }
}

/**
 * The account's payments of unknown outcome that have the receiver and the actions of one of the transactions, whichever app
 * asked for them: an app could send the user to pay again elsewhere.
 */
async function repeatedPayments(
  { store }: Pick<FlowContext, 'store'>,
  accountId: string,
  transactions: readonly TransactionRequest[],
): Promise<readonly RepeatedModel[]> {
  const entries = (await store.journal.entriesOnDevice('batch')).filter(
    (entry) => entry.accountId === accountId,
  );
  if (entries.length === 0) return [];
  const payments = transactions.filter(({ actions }) => actions.some(isPayment));
  const asked = await Promise.all(payments.map((payment) => transactionsDigest([payment])));
  return entries.flatMap(({ createdAt, transactions: sent }) =>
    sent
      .filter(({ fate, payment }) => fate === 'unknown' && payment !== undefined && asked.includes(payment))
      .map((earlier) => ({
        transactionId: chainIdOf(earlier),
        receiverId: earlier.receiverId,
        sentAt: createdAt,
      })),
  );
}

function isPayment(action: Action): boolean {
  switch (action.type) {
    case 'Transfer':
      return BigInt(action.amount) > 0n;
    case 'FunctionCall':
    case 'DeterministicStateInit':
      return BigInt(action.deposit) > 0n;
    default:
      return false;
  }
}
