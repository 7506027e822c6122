/**
 * What transactions, delegates and messages have in common: the user confirms what is shown, the passkey signs a
 * challenge bound to it, the signer worker opens the key for exactly that, and the registry judges the assertion.
 *
 * This file is the whole path of PRF.first in a signing: the prompt returns it, one transfer moves it to the signer
 * worker, and the buffer is wiped. No caller sees it; waiting for a turn, a nonce or the registry comes later.
 */
import { base64urlnopad } from '@scure/base';
import { Confirmation, type Shown } from '../../confirm/confirmation.js';
import { type ConfirmationRequest, decideConfirmation, surroundings } from '../../confirm/decide.js';
import type { MessageModel } from '../../confirm/port.js';
import {
  failedAs,
  INTENT_DIGEST_MISMATCH,
  isCancellation,
  isLatchkeyError,
  LatchkeyError,
  MISSING_PAYLOAD,
  NO_AUTHENTICATORS,
  NO_ENCRYPTED_KEY,
  NOT_LOGGED_IN,
  PASSKEY_NOT_RECORDED,
  toLatchkeyError,
  UI_DIGEST_VALIDATION_FAILED,
  VRF_CHALLENGE_FAILED,
} from '../../errors/wallet.js';
import { delegatesDigest, nep413Digest, togetherDigest, transactionsDigest } from '../../intent/index.js';
import { isNearImplicitAccountId } from '../../near/account-id.js';
import { isIdOf } from '../../near/id-of-key.js';
import { authenticatorsOf, verifyAuthentication, webAuthnChallenge } from '../../registry/registry.js';
import type { AuthenticatorRecord, EncryptedKeyRecord, UserRecord } from '../../storage/records.js';
import type { ConfirmationWish } from '../../types.js';
import { wipe } from '../../webauthn/prf.js';
import type { Prepared, VrfChallenge, WebAuthnAuthentication } from '../../workers/signer-api.js';
import type { Signer } from '../../workers/signer-pool.js';
import { beforeAsking } from '../before-asking.js';
import type { FlowContext } from '../context.js';
import { freshHead } from '../fresh.js';
import { hiddenAddresses } from '../hidden-address.js';
import { noteAnswer } from '../note-answer.js';
import { refreshed, retrying } from '../retrying.js';
import type { Run } from '../run.js';
import { requireSession } from '../session/session.js';
import { confirmationSettings } from '../session/settings.js';
import {
  type Asking,
  askVerified,
  isStillProven,
  newAsking,
  orDiffers,
  passkeysOf,
  type VerifiedAnswer,
} from '../verified-passkey.js';
import type { TransactionContext } from './transaction-contexts.js';

/** The account that signs, and what this device holds for it. */
export interface SigningAccount {
  readonly user: UserRecord;
  readonly authenticators: readonly AuthenticatorRecord[];
  readonly encryptedKey: EncryptedKeyRecord;
}

/** One whose session is unlocked. */
export interface LoggedInAccount extends SigningAccount {
  /** Aborts when that session ends. */
  readonly session: AbortSignal;
}

/** What a signing shows; its digest is computed here. */
type ToShow = Shown extends infer S
  ? S extends Shown
    ? S['kind'] extends 'registration'
      ? never
      : Omit<S, 'digest'>
    : never
  : never;

export interface ApprovalRequest {
  readonly type: ConfirmationRequest;
  readonly account: LoggedInAccount;
  /** Everything that the user sees. */
  readonly shown: ToShow;
  /** The worker that signs; the approval is held there. */
  readonly signer: Signer;
  /** Makes the signer worker compute its own digest, from what it will sign. */
  readonly prepare: () => Promise<Prepared>;
  /** The same for the message that `shown` has next to its transactions. */
  readonly prepareMessage?: (() => Promise<Prepared>) | undefined;
  readonly confirmationConfig: ConfirmationWish | undefined;
  /** What a button of the page showed at the user's click. */
  readonly uiDigest?: string | undefined;
}

export interface Approved {
  /** Names what the signer worker now signs. */
  readonly handle: number;
  /** Names the message that it signs too. */
  readonly messageHandle?: number;
  /** Resolves when the registry has accepted the assertion. No signature may leave before. */
  readonly verified: Promise<void>;
}

/** Steps 1 to 5 of an action. */
export async function approve(
  context: FlowContext,
  { type, account, shown, signer, prepare, prepareMessage, confirmationConfig, uiDigest }: ApprovalRequest,
  run: Run<'action'>,
): Promise<Approved> {
  const { emit } = run;
  // A logout ends the wait for the user; after the passkey has approved, the flow goes on.
  const signal = AbortSignal.any([run.signal, account.session]);
  const { nearAccountId: accountId } = account.user;
  if (isEmpty(shown)) throw new LatchkeyError(MISSING_PAYLOAD);

  const [prepared, message, digest, blocks] = await beforeAsking(
    context,
    signal,
    Promise.all([
      prepare(),
      prepareMessage?.(),
      digestOfShown(shown),
      blocksFor(context, account.user, shown.kind),
      retrying(async () => context.assertHost?.(signal), signal),
    ]),
  );
  const ownDigest = message ? await togetherDigest([prepared.digest, message.digest]) : prepared.digest;
  if (ownDigest !== digest || (uiDigest ?? digest) !== digest)
    throw new LatchkeyError(INTENT_DIGEST_MISMATCH);
  emit('preparation', 'success', 'Prepared', { data: { digest } });

  const confirmer = context.confirmer();
  const decided = decideConfirmation({
    type,
    transactions: shown.kind === 'transactions' ? shown.transactions : undefined,
    guarded: [accountId, context.config.contractId],
    isForAnother: messageIn(shown)?.isForAnother === true,
    isCoverable: context.showKeyInWindow !== undefined,
    isRepeated: shown.kind === 'transactions' && shown.repeats !== undefined,
    wasClicked: uiDigest !== undefined,
    settings: await confirmationSettings(context, account.user, confirmationConfig),
    at: surroundings(context.store.host !== undefined),
    hasConfirmer: confirmer !== null,
  });
  const confirmation = new Confirmation(confirmer, decided, signal);
  const asking = newAsking(passkeysOf(account.user, account.authenticators));
  const stopRefreshing = blocks.keep();
  const isRecorded = lookForRecord(context, account.user, signal);
  const asShown = { accountId: hiddenAddresses(context.store).hide(accountId) };
  try {
    emit('user-confirmation', 'progress', 'Waiting for your confirmation');
    const { challenge, authentication, prf } = await confirmation.approve(
      { ...shown, ...asShown, digest },
      () => {
        emit('user-confirmation', 'success', 'Confirmed');
        return askPasskey(context, account, { digest, blocks }, asking, { emit, signal });
      },
    );
    const opened = openKey(
      signer,
      message ? [prepared.handle, message.handle] : [prepared.handle],
      account,
      { challenge, authentication, prf },
      run.signal,
    );
    emit('authentication-complete', 'success', 'The passkey answered');
    emit('contract-verification', 'progress', 'Checking the passkey');
    const verdict = verdictOn(context, account.user, isRecorded, challenge, authentication, run.signal);
    const verified = verdict.then(() => emit('contract-verification', 'success', 'The passkey was accepted'));
    verified.catch(() => undefined);
    const note = (passkeyProven: boolean) =>
      void noteAnswer(context, account.user, authentication, asking, passkeyProven);
    note(
      await opened.catch((error: unknown) => {
        const differs = isLatchkeyError(error, 'PASSKEY_DIFFERS');
        if (differs || !isStillProven(account.user, authentication)) note(false);
        throw error;
      }),
    );
    return { handle: prepared.handle, ...(message && { messageHandle: message.handle }), verified };
  } finally {
    stopRefreshing();
    confirmation.close();
  }
}

/**
 * Hands PRF.first to the signer worker, which checks the approval and opens the key until the worker ends; and PRF.second
 * where the passkey is still to be proven, or again. The only transfer; both are wiped whether or not they left. Returns whether
 * it is proven now. Throws PASSKEY_DIFFERS where the outputs open nothing.
 */
async function openKey(
  signer: Signer,
  handles: readonly number[],
  { user, encryptedKey: { encryptedData, iv } }: SigningAccount,
  { challenge, authentication, prf: { first, second } }: VerifiedAnswer<VrfChallenge>,
  signal: AbortSignal,
): Promise<boolean> {
  const { nearAccountId: accountId, clientNearPublicKey: publicKey } = user;
  const passkeyProven = isStillProven(user, authentication);
  if (passkeyProven) wipe(second);
  try {
    const clientDataJson = base64urlnopad.decode(authentication.response.clientDataJSON);
    const [handle = 0, ...others] = handles;
    const unproven = passkeyProven ? undefined : { accountId, prfSecond: second, publicKey };
    const answered = isNearImplicitAccountId(accountId)
      ? {
          authenticatorData: base64urlnopad.decode(authentication.response.authenticatorData),
          ownOrigin: location.origin,
        }
      : undefined;
    const rest = [first, challenge, clientDataJson, { encryptedData, iv }, unproven, answered] as const;
    const options = { signal, transfer: [first.buffer, ...(unproven ? [second.buffer] : [])] };
    const proven = await (others.length === 0
      ? signer.call('approve', [handle, ...rest], options)
      : signer.call('approveTogether', [Uint32Array.from(handles), ...rest], options));
    return proven ?? passkeyProven;
  } catch (error) {
    throw orDiffers(error, accountId);
  } finally {
    wipe(first, second);
  }
}

/** Whether the registry has a record of the account. `signal` ends the question. */
type IsRecorded = (signal: AbortSignal) => Promise<boolean>;

/**
 * An account without a name may have no record. That is believed only by agreement, which may take seconds, so the registry is
 * asked while the user decides (again after the prompt, where that gave no answer), and never once this browser has seen one.
 */
function lookForRecord(
  context: FlowContext,
  { nearAccountId, deviceNumber, hasRegistryRecord = false }: UserRecord,
  deciding: AbortSignal,
): IsRecorded {
  if (hasRegistryRecord || !isNearImplicitAccountId(nearAccountId)) return async () => true;
  const { store } = context;
  const ask = async (signal: AbortSignal): Promise<boolean> => {
    const records = await authenticatorsOf(context, nearAccountId, signal, { certain: true });
    if (records.length > 0) await store.updateUser(nearAccountId, deviceNumber, { hasRegistryRecord: true });
    return records.length > 0;
  };
  const asked = ask(deciding);
  asked.catch(() => undefined);
  return async (signal) => {
    const seen = await asked.catch(() => ask(signal));
    // Another tab may have registered the device while the user decided.
    return seen || (await store.userOnDevice(nearAccountId, deviceNumber))?.hasRegistryRecord === true;
  };
}

/** Resolves when the registry accepts the assertion. Without a record the signer worker alone has checked it. */
async function verdictOn(
  context: FlowContext,
  user: UserRecord,
  isRecorded: IsRecorded,
  challenge: VrfChallenge,
  authentication: WebAuthnAuthentication,
  signal: AbortSignal,
): Promise<void> {
  if (!(await isRecorded(signal))) return;
  try {
    await verifyAuthentication(context, challenge, authentication, signal);
  } catch (error) {
    throw await orNotRecorded(context, user, error, signal);
  }
}

/** Why the registry refuses a passkey of an account without a name: it may know only another one of the account. */
async function orNotRecorded(
  context: FlowContext,
  { nearAccountId: account, passkeyCredential }: UserRecord,
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!isLatchkeyError(error, 'VERIFICATION_FAILED') || !isNearImplicitAccountId(account)) return error;
  const records = await authenticatorsOf(context, account, signal).catch(() => []);
  const isAnother = records.length > 0 && !records.some(([id]) => id === passkeyCredential.id);
  return isAnother ? new LatchkeyError(PASSKEY_NOT_RECORDED, { cause: error, values: { account } }) : error;
}

/** Where the block of a challenge comes from. */
export interface Blocks {
  /** At the click: at most 25 s old, or 30 s if the chain cannot be asked. */
  atClick(): Promise<Pick<TransactionContext, 'blockHeight' | 'blockHash'>>;
  /** Keeps it fresh while the user decides. */
  keep(): () => void;
}

/** The blocks that the account's key is read with; rejects as {@link beginSigning}. */
export async function blocksOfKey(context: FlowContext, user: UserRecord): Promise<Blocks> {
  const { contexts } = context;
  const { nearAccountId, clientNearPublicKey } = user;
  await beginSigning(context, user);
  return {
    atClick: () => contexts.atClick(nearAccountId, clientNearPublicKey),
    keep: () => contexts.keep(nearAccountId, clientNearPublicKey),
  };
}

/** The same; a message needs no account on the chain where the key that signs it is the account's id. */
async function blocksFor(context: FlowContext, user: UserRecord, kind: ToShow['kind']): Promise<Blocks> {
  try {
    return await blocksOfKey(context, user);
  } catch (error) {
    const isProof = kind === 'nep413' && isLatchkeyError(error, 'ACCOUNT_UNFUNDED');
    if (!isProof || !isIdOf(user.nearAccountId, user.clientNearPublicKey)) throw error;
    const head = freshHead(context.rpc);
    await head.get();
    return {
      atClick: async () => {
        const { height, hash } = await head.get();
        return { blockHeight: String(height), blockHash: hash };
      },
      keep: () => head.keep(),
    };
  }
}

/** Reads nonce and block, of a lane for a gas key. A device whose key another device has removed is logged out. */
export async function beginSigning(
  context: FlowContext,
  user: UserRecord,
  lane?: number,
): Promise<TransactionContext> {
  try {
    return await context.contexts.begin(user.nearAccountId, user.clientNearPublicKey, lane);
  } catch (error) {
    if (isLatchkeyError(error, 'DEVICE_KEY_REMOVED')) {
      await (await import('../session/removed-device.js')).logoutIfRemoved(context, user);
    }
    throw error;
  }
}

/** The message that is shown, by itself or next to transactions. */
function messageIn(shown: ToShow): MessageModel | undefined {
  return shown.kind === 'nep413' ? shown : shown.withMessage;
}

/** An untyped caller may give nothing to show. */
function isEmpty(shown: ToShow): boolean {
  if (shown.kind === 'transactions') return shown.transactions.length === 0;
  return shown.kind === 'nep413' && typeof shown.message !== 'string';
}

/**
 * The account that signs. Throws NOT_LOGGED_IN without a session. A logout from here on ends the approval, also one
 * that comes while the records are read.
 */
export async function loggedInAccount(context: FlowContext, accountId: string): Promise<LoggedInAccount> {
  const session = context.logout.signal;
  const user = await requireSession(context, accountId);
  return { ...(await signingAccount(context, user)), session };
}

/** The records of the account that signs. */
export async function signingAccount({ store }: FlowContext, user: UserRecord): Promise<SigningAccount> {
  const { nearAccountId: accountId, deviceNumber } = user;
  const [all, encryptedKey] = await Promise.all([
    store.authenticators(accountId),
    store.encryptedKey(accountId, deviceNumber),
  ]);
  const authenticators = all.filter((record) => record.deviceNumber === deviceNumber);
  const values = { account: accountId };
  if (authenticators.length === 0) throw new LatchkeyError(NO_AUTHENTICATORS, { values });
  if (!encryptedKey) throw new LatchkeyError(NO_ENCRYPTED_KEY, { values });
  return { user, authenticators, encryptedKey };
}

/** One VRF proof and one prompt, both at the click; where the prompt verified no user, another of both. */
export async function askPasskey(
  context: FlowContext,
  { user, authenticators }: SigningAccount,
  { digest: intentDigest, blocks }: { readonly digest: string; readonly blocks: Blocks },
  asking: Asking,
  { emit, signal }: Run<'action'>,
): Promise<VerifiedAnswer<VrfChallenge>> {
  const { rpId, vrf } = context;
  const { nearAccountId: accountId } = user;
  const challenge = async () => {
    const { blockHeight, blockHash } = await refreshed(() => blocks.atClick(), signal);
    const made = await vrf
      .call('generateChallenge', [{ userId: accountId, rpId, blockHeight, blockHash, intentDigest }], {
        signal,
      })
      .catch((error: unknown) => {
        throw isCancellation(error) ? error : failedAs(VRF_CHALLENGE_FAILED, error);
      });
    // Another account may have logged in while the user decided. The registry would refuse its key, after the prompt.
    if (!authenticators.some(({ vrfPublicKey }) => vrfPublicKey === made.vrfPublicKey)) {
      throw new LatchkeyError(NOT_LOGGED_IN);
    }
    emit('webauthn-authentication', 'progress', 'Asking for the passkey');
    return { of: made, bytes: webAuthnChallenge(made) };
  };
  const request = { accountId, allow: passkeysOf(user, authenticators), challenge, signal };
  return askVerified(context, request, asking);
}

/** TypeScript's own digest, from what the user sees and nothing else. */
async function digestOfShown(shown: ToShow): Promise<string> {
  try {
    if (shown.kind === 'nep413') return await nep413Digest(shown);
    const { transactions, delegate, withMessage } = shown;
    if (withMessage) {
      const { accountId } = shown;
      return await togetherDigest([
        await transactionsDigest(transactions),
        await nep413Digest({ ...withMessage, accountId }),
      ]);
    }
    if (!delegate) return await transactionsDigest(transactions);
    const { validForBlocks, maxBlockHeights } = delegate;
    if ((maxBlockHeights ?? transactions).length !== transactions.length) {
      throw new LatchkeyError(MISSING_PAYLOAD);
    }
    const end = (index: number) => maxBlockHeights?.[index] ?? validForBlocks;
    return await delegatesDigest(transactions.map((request, index) => ({ request, end: end(index) })));
  } catch (error) {
    throw new LatchkeyError(UI_DIGEST_VALIDATION_FAILED, { cause: toLatchkeyError(error) });
  }
}
