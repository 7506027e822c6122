/**
 * From a linking's journal entry to the device's record on the chain, without the user:
 *
 * 1. the swap: the temporary key adds the device's own key and deletes itself, in one transaction
 * 2. the registration of the passkey, signed by the device's own key
 * 3. the chain's records are compared with what was made here, and the records are stored
 *
 * The entry holds each transaction before it leaves: after any interruption the same bytes are sent again.
 */
import {
  isLatchkeyError,
  LatchkeyError,
  LINK_KEY_GONE,
  LINK_PENDING,
  linkText,
  messageOf,
  REGISTRATION_FAILED,
  SIGNING_FAILED,
  TRANSACTION_EXECUTED,
} from '../../errors/account.js';
import {
  actionErrorKind,
  executionFailure,
  highestNonce,
  rpcFailure,
  type TransactionOutcome,
} from '../../near/index.js';
import { isOpen, noteOutcome, type Patience, type RefusedCopy, sendUntilTaken } from '../../near/send.js';
import { refusalIn, registrationCost } from '../../registry/linking.js';
import { sleep } from '../../sleep.js';
import type { LinkEntry, SentTransaction } from '../../storage/records.js';
import type { Action, SignedTransaction } from '../../types.js';
import type { SealedKey } from '../../workers/sealed-key.js';
import type { FlowContext } from '../context.js';
import { asInsufficientBalance, REGISTRATION_GAS } from './balance.js';
import { heldKey } from './link-keys.js';
import { dropLink, isTakeable, type LinkState, LOOKUPS, linkState, stateForCertain } from './link-state.js';

/** While no node answers. */
const PATIENCE: Patience = { attempts: 5, pauseMs: 2_000, forMs: 30_000 };
const NO_SUCH_KEY = 'InvalidAccessKeyError';
const LOOKUP_PAUSE_MS = 500;

/** The ids of the transactions that this call completed. */
export interface LinkedOnChain {
  readonly swapId: string | null;
  readonly registrationId: string | null;
}

/** The registry no longer accepts this passkey, and the user has to make another one. */
export interface StaleLink {
  /** The key of this device that is on the account. */
  readonly onAccount: Pick<SealedKey, 'publicKey'> | null;
}

export type LinkOutcome = LinkedOnChain | StaleLink;

export function isStale(outcome: LinkOutcome): outcome is StaleLink {
  return 'onAccount' in outcome;
}

/**
 * Completes an open entry. `state` is what the caller has just seen on the chain. Throws LINK_KEY_GONE when neither
 * key is on the account: it then drops the entry, and nothing was paid.
 */
export async function completeLink(
  context: FlowContext,
  entry: LinkEntry,
  signal: AbortSignal,
  state?: LinkState,
): Promise<LinkOutcome> {
  const seen = state ?? (await stateForCertain(context, entry, signal, LOOKUPS));
  if (seen === 'gone') return fail(context, entry, keyGone(context, entry.accountId));
  if (seen === 'mismatched') return fail(context, entry, mismatched(entry));
  if (seen === 'registered') return commit(context, entry);
  if (!state && !(await isTakeable(context, entry))) {
    return { onAccount: seen === 'added' ? entry.key : entry.replaces };
  }

  const swapped = seen === 'to-swap' ? await swapKeys(context, entry, signal) : entry;
  return register(context, swapped, signal);
}

/** AddKey and DeleteKey in one transaction, final before anything else is sent. */
async function swapKeys(context: FlowContext, entry: LinkEntry, signal: AbortSignal): Promise<LinkEntry> {
  const { accountId, key, replaces } = entry;
  if (!replaces) throw new LatchkeyError(REGISTRATION_FAILED, { message: linkText('noTemporaryKey') });
  const actions: Action[] = [
    { type: 'AddKey', publicKey: key.publicKey, accessKey: { permission: 'FullAccess' } },
    { type: 'DeleteKey', publicKey: replaces.publicKey },
  ];
  try {
    const plan: Plan = { signer: replaces, receiverId: accountId, actions: async () => actions };
    const { entry: sent, outcome } = await sendNoted(context, entry, 'swap', plan, signal);
    const failed = executionFailure(outcome);
    if (!failed) return sent;
    await note(context, sent, { swap: undefined });
    if (actionErrorKind(failed) === 'DeleteKeyDoesNotExist') throw keyGone(context, accountId);
    throw new LatchkeyError(TRANSACTION_EXECUTED, {
      values: { reason: JSON.stringify(failed).slice(0, 300), fate: 'failed' },
    });
  } catch (error) {
    if (isKeyGone(error)) {
      return goneForCertain(context, entry, error, signal);
    }
    throw asInsufficientBalance(error, accountId) ?? replacementFailed(error, accountId);
  }
}

async function register(context: FlowContext, entry: LinkEntry, signal: AbortSignal): Promise<LinkOutcome> {
  const { accountId, key, request } = entry;
  if (!request.webauthn_registration) {
    throw new LatchkeyError(REGISTRATION_FAILED, { message: linkText('noCredential') });
  }
  const call = async (): Promise<Action[]> => [
    {
      type: 'FunctionCall',
      methodName: 'link_device_register_user',
      args: JSON.stringify(request),
      gas: String(REGISTRATION_GAS),
      deposit: await registrationCost(context, signal),
    },
  ];
  const plan: Plan = { signer: key, receiverId: context.config.contractId, actions: call };
  let sent = entry;
  let refusal: string;
  try {
    const answer = await sendNoted(context, entry, 'registration', plan, signal);
    sent = answer.entry;
    refusal = refusalIn(answer.outcome);
  } catch (error) {
    if (isKeyGone(error)) return goneForCertain(context, sent, error, signal);
    throw asInsufficientBalance(error, accountId) ?? unfinished(error, accountId);
  }
  // Only the chain counts: another copy may have registered it before, and a node may lag.
  const seen = await lookSoon(context, sent, refusal === '', signal);
  if (seen === 'registered') return commit(context, sent);
  if (seen === 'mismatched') return fail(context, sent, mismatched(sent));
  // The key may have been removed in the same block that registered it: the record alone opens nothing.
  if (refusal === '' && seen === 'gone') return fail(context, sent, keyGone(context, accountId));
  if (refusal === '') throw unfinished(new Error('the registry does not show the device yet'), accountId);
  await note(context, sent, { registration: undefined });
  // The key has just signed: a node that lags behind that is not asked.
  if (!(await isTakeable(context, sent))) return { onAccount: key };
  throw new LatchkeyError(REGISTRATION_FAILED, { message: linkText('refused', { reason: refusal }) });
}

/** Where an answer is expected, the last look believes that a key is gone only at two different blocks. */
async function lookSoon(
  context: FlowContext,
  entry: LinkEntry,
  expected: boolean,
  signal: AbortSignal,
): Promise<LinkState> {
  for (let lookup = 1; ; lookup += 1) {
    const isLast = !expected || lookup === LOOKUPS;
    const seen = await linkState(context, entry, { certain: expected && isLast });
    if (seen === 'registered' || seen === 'mismatched' || isLast) return seen;
    await sleep(LOOKUP_PAUSE_MS, signal);
  }
}

async function commit(context: FlowContext, entry: LinkEntry): Promise<LinkedOnChain> {
  await context.store.commitEntry(entry).catch((error) => {
    throw unfinished(error, entry.accountId);
  });
  return { swapId: entry.swap?.hash ?? null, registrationId: entry.registration?.hash ?? null };
}

// -------------------------------------------------------------- sending

type Step = 'swap' | 'registration';

interface Plan {
  readonly signer: Pick<SealedKey, 'publicKey'>;
  readonly receiverId: string;
  readonly actions: () => Promise<Action[]>;
}

/** Sends the entry's transaction for this step, or signs it, stores it and sends it. The bytes are one transaction. */
async function sendNoted(
  context: FlowContext,
  entry: LinkEntry,
  step: Step,
  plan: Plan,
  signal: AbortSignal,
): Promise<{ readonly entry: LinkEntry; readonly outcome: TransactionOutcome }> {
  let current = entry;
  const settled = await sendUntilTaken(context.rpc, {
    level: 'FINAL',
    signal,
    earlier: entry[step],
    patience: PATIENCE,
    sign: async (refused) => {
      if (current[step]) current = await note(context, current, { [step]: undefined });
      const { hash, borshBytes } = await sign(context, current, step, { ...plan, refused }, signal);
      return { hash, borshBytes };
    },
    leaves: async (copy, isRepeated) => {
      if (!isRepeated) current = await note(context, current, { [step]: copy });
    },
  });
  if (!('outcome' in settled)) throw settled.error;
  noteOutcome(context.rpc, settled.outcome);
  return { entry: current, outcome: settled.outcome };
}

async function sign(
  context: FlowContext,
  entry: LinkEntry,
  step: Step,
  {
    signer: { publicKey },
    receiverId,
    actions,
    refused,
  }: Plan & { readonly refused: RefusedCopy<SentTransaction> | undefined },
  signal: AbortSignal,
): Promise<SignedTransaction> {
  const { accountId } = entry;
  const { rpc, signers } = context;
  const { wrappingKey, sealed } = await heldKey(context, entry, publicKey);
  const [accessKey, what] = await Promise.all([ownKey(), actions()]);
  const worker = await signers.acquire(signal);
  try {
    const transaction = {
      signerAccountId: accountId,
      receiverId,
      nonce: String(highestNonce(accessKey, refused?.failure) + 1n),
      blockHash: accessKey.block_hash,
      actions: what,
    };
    return await worker.call('signWithSealedKey', [wrappingKey, sealed, transaction], { signal });
  } catch (error) {
    if (step === 'swap' || isLatchkeyError(error, 'CANCELLED')) throw error;
    throw new LatchkeyError(SIGNING_FAILED, { message: linkText('notSigned'), cause: error });
  } finally {
    worker.end();
  }

  async function ownKey() {
    const view = await rpc.viewAccessKey(accountId, publicKey, {
      agreed: true,
      certain: true,
      signal,
    });
    if (!view) throw keyGone(context, accountId);
    return view;
  }
}

async function note(context: FlowContext, entry: LinkEntry, change: Partial<LinkEntry>): Promise<LinkEntry> {
  await context.store.journal.update(entry, change);
  return { ...entry, ...change };
}

// -------------------------------------------------------------- errors

async function fail(context: FlowContext, entry: LinkEntry, error: LatchkeyError): Promise<never> {
  // Otherwise the registry holds the passkey, with other keys.
  if (error.code === 'LINK_KEY_GONE') await dropLink(context, entry);
  else await context.store.journal.drop(entry);
  throw error;
}

/** Whether a node, which may lag, says that the signing key is gone. */
function isKeyGone(error: unknown): boolean {
  return isLatchkeyError(error, 'LINK_KEY_GONE') || rpcFailure(error)?.reason === NO_SUCH_KEY;
}

/** A node that lags does not know a key that was added a moment ago, so its word alone drops no key. */
async function goneForCertain(
  context: FlowContext,
  entry: LinkEntry,
  error: unknown,
  signal: AbortSignal,
): Promise<never> {
  const { accountId: account } = entry;
  const state = await stateForCertain(context, entry, signal, LOOKUPS);
  if (state === 'gone') return fail(context, entry, keyGone(context, account, error));
  throw new LatchkeyError(LINK_PENDING, { values: { account, reason: messageOf(error) }, cause: error });
}

export function keyGone({ config }: FlowContext, account: string, cause?: unknown): LatchkeyError {
  const seconds = Math.round(config.deviceLinking.tempKeyDeleteDelayMs / 1000);
  return new LatchkeyError(LINK_KEY_GONE, { values: { account, seconds }, cause });
}

function mismatched({ accountId }: LinkEntry): LatchkeyError {
  const reason = `it holds other keys for this passkey than the ones made here. Do not use ${accountId} here`;
  return new LatchkeyError(REGISTRATION_FAILED, { message: linkText('refused', { reason }) });
}

function replacementFailed(error: unknown, accountId: string): LatchkeyError {
  if (isOpen(rpcFailure(error))) return unfinished(error, accountId);
  if (isLatchkeyError(error, 'CANCELLED', 'LINK_SEALED')) return error;
  const message = linkText('replacementFailed', { reason: messageOf(error) });
  return new LatchkeyError(REGISTRATION_FAILED, { message, cause: error });
}

/** The entry stays, and the next start continues it. */
function unfinished(error: unknown, account: string): LatchkeyError {
  if (isLatchkeyError(error, 'CANCELLED', 'SIGNING_FAILED', 'LINK_KEY_GONE', 'LINK_SEALED')) return error;
  return new LatchkeyError(LINK_PENDING, { values: { account, reason: messageOf(error) }, cause: error });
}
