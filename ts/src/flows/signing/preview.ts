/**
 * What a confirmation shows next to the transactions: what they cost, open payments that are equal to one of them, the
 * devices that they remove, the tokens that they move, and the recipients. A message that moves tokens shows the latter two.
 */
import { movesOfMessage, type TokenMove, tokenMoves } from '../../confirm/moves.js';
import type {
  CostModel,
  RecipientModel,
  RemovedDeviceModel,
  RepeatedModel,
  TokenModel,
  TransactionsConfirmModel,
} from '../../confirm/port.js';
import { transactionsDigest } from '../../intent/index.js';
import { depositOf } from '../../near/fees.js';
import { shownSymbol, TokenMetadataSchema } from '../../near/token-metadata.js';
import { authenticatorsOf } from '../../registry/registry.js';
import { within } from '../../sleep.js';
import type { Action, SignNep413Params, TransactionRequest } from '../../types.js';
import { userName } from '../../webauthn/user-handle.js';
import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';
import { chainIdOf } from './batch-entry.js';
import { costOf, currentFees } from './cost.js';
import { assertOwnFirstStates } from './first-states.js';
import { assertNetworkHas } from './network-features.js';
import { markedInMoves, markedRecipients } from './recipients.js';
import { usualFee } from './usual-fee.js';

export type Preview = Pick<
  TransactionsConfirmModel,
  'cost' | 'repeats' | 'removes' | 'tokens' | 'recipients'
>;

/** Rejects as {@link costOf}, {@link assertNetworkHas} and {@link assertOwnFirstStates} do. `temporaryKey` is the one that a linking adds and deletes with them. */
export async function preview(
  context: FlowContext,
  accountId: string,
  transactions: readonly TransactionRequest[],
  temporaryKey?: string,
): Promise<Preview> {
  const [cost, others] = await Promise.all([
    costWithUsual(context, accountId, transactions),
    previewDelegate(context, accountId, transactions, temporaryKey),
  ]);
  return { ...(cost && { cost }), ...others };
}

async function costWithUsual(
  context: FlowContext,
  accountId: string,
  transactions: readonly TransactionRequest[],
): Promise<CostModel | undefined> {
  const cost = await costOf(context, accountId, transactions);
  if (!cost) return undefined;
  const fees = await currentFees(context);
  const usual = transactions.reduce((sum, each) => sum + usualFee(context.rpc, accountId, each, fees), 0n);
  return { ...cost, usual: String(usual) };
}

/** The same for a delegate, which costs the account no fee. Rejects as {@link assertNetworkHas} and {@link assertOwnFirstStates} do. */
export async function previewDelegate(
  context: FlowContext,
  accountId: string,
  transactions: readonly TransactionRequest[],
  temporaryKey?: string,
): Promise<Omit<Preview, 'cost'>> {
  const [repeats, removes, tokens, recipients] = await Promise.all([
    openRepeats(context, accountId, transactions),
    removedDevices(context, accountId, transactions, temporaryKey).catch((error: unknown) =>
      warn(context.config, 'The devices that this removes could not be read', error),
    ),
    tokensOf(context, transactions),
    markedRecipients(context, accountId, transactions),
    assertNetworkHas(context, transactions),
    assertOwnFirstStates(transactions),
  ]);
  return { ...repeats, ...(removes?.length && { removes }), ...given({ tokens, recipients }) };
}

/** The same for a message that lets its recipient, a contract, move tokens. Any other message shows only itself. */
export async function previewMessage(
  context: Pick<FlowContext, 'store' | 'config' | 'rpc'>,
  accountId: string,
  { message, recipient }: Pick<SignNep413Params, 'message' | 'recipient'>,
): Promise<Pick<Preview, 'tokens' | 'recipients'>> {
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
}): Pick<Preview, 'tokens' | 'recipients'> {
  return { ...(tokens.length > 0 && { tokens }), ...(recipients.length > 0 && { recipients }) };
}

/** The payments of unknown outcome that these would repeat. A journal that cannot be read stops nothing. */
async function openRepeats(
  context: Pick<FlowContext, 'store' | 'config'>,
  accountId: string,
  transactions: readonly TransactionRequest[],
): Promise<Pick<Preview, 'repeats'>> {
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

const isPayment = (action: Action): boolean => depositOf(action) > 0n;

/** A confirmation opens without the names that come later. */
const LIMIT_MS = 1_000;
/** Asks no more contracts for one confirmation: the app chooses them. */
const MAX_CONTRACTS = 8;

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
    const said = await rpc.callFunctionJson(TokenMetadataSchema, contractId, 'ft_metadata', {}, options);
    const symbol = shownSymbol(said.symbol);
    if (symbol !== '') told.push({ contractId, symbol, decimals: said.decimals });
  };
  await within(limitMs, Promise.allSettled(contracts.map(read)), undefined);
  over.abort();
  return [...told];
}

function isScaled(does: string): boolean {
  return does === 'send' || does === 'withdraw' || does === 'unwrap' || does === 'destroy';
}

/**
 * Asks the registry only where a transaction may remove a device. A linking adds its temporary key and deletes it in one
 * batch: that key is no device.
 */
export async function removedDevices(
  context: FlowContext,
  accountId: string,
  transactions: readonly TransactionRequest[],
  temporaryKey?: string,
): Promise<readonly RemovedDeviceModel[]> {
  const actionsFor = (receiver: string): readonly Action[] =>
    transactions.filter(({ receiverId }) => receiverId === receiver).flatMap(({ actions }) => actions);
  const keys = actionsFor(accountId).flatMap((action) =>
    action.type === 'DeleteKey' && action.publicKey !== temporaryKey ? [action.publicKey] : [],
  );
  const credentials = actionsFor(context.config.contractId).flatMap(removedCredential);
  if (keys.length + credentials.length === 0) return [];
  const [registered, user] = await Promise.all([
    authenticatorsOf(context, accountId, undefined, { afterWrites: true }),
    context.store.user(accountId),
  ]);
  return registered
    .filter(
      ([id, { near_public_key: key }]) => credentials.includes(id) || (key !== null && keys.includes(key)),
    )
    .map(([id, { device_number: deviceNumber, registered: registeredAt }]) => ({
      deviceNumber,
      registeredAt,
      passkeyName: userName(accountId, deviceNumber),
      isCurrent: id === user?.passkeyCredential.id,
    }));
}

/** The credential that a call of the registry removes. */
function removedCredential(action: Action): readonly string[] {
  if (action.type !== 'FunctionCall' || action.methodName !== 'remove_authenticator') return [];
  if (typeof action.args !== 'string') return [];
  try {
    const { credential_id: id } = JSON.parse(action.args);
    return typeof id === 'string' ? [id] : [];
  } catch {
    // The registry refuses such a call.
    return [];
  }
}
