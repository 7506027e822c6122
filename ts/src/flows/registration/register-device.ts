/**
 * Has the registry record the passkey of an account without a name. The steps:
 *
 * 1. before any prompt: the registry can, it has no record of the passkey, and the account can pay
 * 2. the user confirms what it costs, and the passkey answers a challenge bound to the record (one prompt; two where only two
 *    answers tell its public key)
 * 3. the account's key, open in the signer worker for this call alone, signs the registration; it is sent
 * 4. the record is looked up, and this browser remembers that there is one
 *
 * Nothing is stored before step 4. After an interruption the same call finds the record, or asks again: of two registrations of
 * one passkey the registry refuses the second, and returns its deposit.
 */
import { Confirmation } from '../../confirm/confirmation.js';
import { decideConfirmation, surroundings } from '../../confirm/decide.js';
import type { RecordingModel } from '../../confirm/port.js';
import {
  ACCOUNT_HAS_NAME,
  isLatchkeyError,
  LatchkeyError,
  linkText,
  PASSKEY_DIFFERS,
  PASSKEY_KEY_UNKNOWN,
  REGISTRATION_FAILED,
  REGISTRATION_PENDING,
} from '../../errors/account.js';
import { failedRecord } from '../../failed-results.js';
import { existingRegistrationDigest } from '../../intent/index.js';
import { isNearImplicitAccountId } from '../../near/account-id.js';
import { assertSpendable } from '../../near/fees.js';
import type { ListViewOptions, TransactionOutcome } from '../../near/index.js';
import {
  assertRegistersExisting,
  EXISTING_REGISTRATION_GAS,
  existingRegistration,
} from '../../registry/existing.js';
import { KEPT_YOCTO, nextDeviceNumber, refusalIn, registrationCost } from '../../registry/linking.js';
import {
  authenticatorsOf,
  type RegistryAuthenticator,
  type RegistryAuthenticators,
} from '../../registry/registry.js';
import { makeWrappingKey } from '../../storage/wrapping-key.js';
import type {
  Action,
  ActionResult,
  RegisterDeviceOptions,
  RegisteredDevice,
  SignedTransaction,
} from '../../types.js';
import { es256KeyOf, es256KeysOf } from '../../webauthn/es256-recovery.js';
import { wipe } from '../../webauthn/prf.js';
import type { OpenableKey, VrfChallenge, WebAuthnAuthentication } from '../../workers/signer-api.js';
import type { Signer } from '../../workers/signer-pool.js';
import { beforeAsking } from '../before-asking.js';
import type { FlowContext } from '../context.js';
import { neededFor } from '../linking/balance.js';
import { noteAnswer } from '../note-answer.js';
import { proves } from '../proves.js';
import { assertFits } from '../recovery/ask.js';
import { retrying } from '../retrying.js';
import { type Run, runFlow } from '../run.js';
import { confirmationSettings } from '../session/settings.js';
import { emitFailure } from '../signing/action-result.js';
import { askPasskey, beginSigning, type LoggedInAccount, loggedInAccount } from '../signing/approve.js';
import { currentFees } from '../signing/cost.js';
import { sendSigned } from '../signing/send.js';
import { signInTurn, withNonces } from '../signing/sign-in-turn.js';
import type { TransactionContext } from '../signing/transaction-contexts.js';
import {
  askVerified,
  isStillProven,
  newAsking,
  orDiffers,
  ownChallenge,
  passkeysOf,
  type VerifiedAnswer,
} from '../verified-passkey.js';

/** Approximate size of the call's arguments in bytes; each costs some 10^-8 NEAR, so precision does not matter. */
const CALL_BYTES = 3_000;

export async function registerDevice(
  context: FlowContext,
  accountId: string,
  options: RegisterDeviceOptions,
): Promise<RegisteredDevice> {
  return runFlow(
    'action',
    options,
    async (run) => {
      const account = await loggedInAccount(context, accountId);
      if (!isNearImplicitAccountId(accountId))
        throw new LatchkeyError(ACCOUNT_HAS_NAME, { values: { account: accountId } });
      run.emit('preparation', 'progress', 'Asking the registry');
      const signal = AbortSignal.any([run.signal, account.session]);
      const start = await beforeAsking(context, signal, look(context, account, signal));
      const registered =
        'record' in start
          ? await remember(context, account, start.record)
          : await register(context, account, start, options, run);
      run.emit('action-complete', 'success', 'The registry has the passkey of this device', {
        data: { transactionId: registered.transactionId },
      });
      return registered;
    },
    (error, run) => {
      emitFailure(error, run);
      return failedRecord(error);
    },
  );
}

/** What is known before the user is asked. */
interface Start {
  readonly deviceNumber: number;
  readonly digest: string;
  readonly recording: RecordingModel;
}

/** Asks everything that can refuse the registration. Returns the record where there is one. */
async function look(
  context: FlowContext,
  account: LoggedInAccount,
  signal: AbortSignal,
): Promise<Start | { readonly record: RegistryAuthenticator }> {
  const { user, authenticators } = account;
  const { nearAccountId: accountId } = user;
  const [record] = await Promise.all([
    retrying(() => recordOf(context, account, signal, { certain: true }), signal),
    retrying(() => assertRegistersExisting(context), signal),
    beginSigning(context, user),
    retrying(async () => context.assertHost?.(signal), signal),
  ]);
  if (record) return { record };
  const [deviceNumber, depositYocto] = await Promise.all([
    retrying(() => nextDeviceNumber(context, accountId, signal), signal),
    retrying(() => registrationCost(context, signal), signal),
  ]);
  await retrying(() => assertAffordable(context, accountId, depositYocto, signal), signal);
  const isKeyKnown = authenticators.some(({ credentialPublicKey }) => credentialPublicKey.length > 0);
  return {
    deviceNumber,
    digest: await existingRegistrationDigest(accountId, deviceNumber),
    recording: { depositYocto, keptYocto: String(KEPT_YOCTO), ...(!isKeyKnown && { asksTwice: true }) },
  };
}

/** The registry's record of this device's passkey. */
async function recordOf(
  context: FlowContext,
  { user: { nearAccountId, passkeyCredential } }: LoggedInAccount,
  signal: AbortSignal,
  view: ListViewOptions<RegistryAuthenticators>,
): Promise<RegistryAuthenticator | undefined> {
  const isNo = (records: RegistryAuthenticators) => !records.some(([id]) => id === passkeyCredential.id);
  const records = await authenticatorsOf(context, nearAccountId, signal, { isNo, ...view });
  return records.find(([id]) => id === passkeyCredential.id)?.[1];
}

/** Throws INSUFFICIENT_BALANCE. */
async function assertAffordable(
  context: FlowContext,
  accountId: string,
  deposit: string,
  signal: AbortSignal,
): Promise<void> {
  const [view, fees] = await Promise.all([
    context.rpc.viewAccount(accountId, { afterWrites: true, signal }),
    currentFees(context),
  ]);
  const call: Action = {
    type: 'FunctionCall',
    methodName: 'register_existing_passkey',
    args: ' '.repeat(CALL_BYTES),
    gas: String(EXISTING_REGISTRATION_GAS),
    deposit,
  };
  const needed = neededFor(accountId, { receiverId: context.config.contractId, actions: [call] }, fees);
  if (view) assertSpendable(accountId, view, needed, { comesBack: true });
}

/** Remembers that there is a record: from now on no signature leaves without the registry's verdict. */
async function remember(
  { store }: FlowContext,
  { user: { nearAccountId, deviceNumber, clientNearPublicKey }, authenticators }: LoggedInAccount,
  record: RegistryAuthenticator,
  sent: ActionResult = { success: true, transactionId: null, result: null },
): Promise<RegisteredDevice> {
  const [{ vrfPublicKey = '' } = {}] = authenticators;
  assertFits(record, { key: { publicKey: clientNearPublicKey }, vrfPublicKey });
  await store.updateUser(nearAccountId, deviceNumber, { hasRegistryRecord: true });
  return { ...sent, deviceNumber: record.device_number };
}

/** Steps 2 to 4. */
async function register(
  context: FlowContext,
  account: LoggedInAccount,
  start: Start,
  options: RegisterDeviceOptions,
  run: Run<'action'>,
): Promise<RegisteredDevice> {
  const { nearAccountId: accountId } = account.user;
  const signer = await context.signers.acquire(run.signal);
  try {
    const approved = await approve(context, account, start, options, signer, run);
    const { deviceNumber } = start;
    const sent = await send(context, account, approved, signer, run);
    const refusal = refusalIn(sent.result as TransactionOutcome);
    run.emit('contract-verification', 'progress', 'Looking up the record');
    const view = refusal === '' ? { afterWrites: true } : { certain: true };
    const record = await retrying(() => recordOf(context, account, run.signal, view), run.signal).catch(
      (cause: unknown) => {
        throw pending(accountId, sent, cause);
      },
    );
    if (record) {
      run.emit('contract-verification', 'success', `The registry has it as device ${deviceNumber}`);
      return await remember(context, account, record, sent);
    }
    if (refusal === '') throw pending(accountId, sent);
    const message = linkText('refused', { reason: refusal });
    const { transactionId, result: outcome, fate } = sent;
    throw new LatchkeyError(REGISTRATION_FAILED, { message, details: { transactionId, outcome, fate } });
  } finally {
    signer.end();
  }
}

/** The registration was sent, and no node has shown its record. */
function pending(account: string, { transactionId, fate }: ActionResult, cause?: unknown): LatchkeyError {
  return new LatchkeyError(REGISTRATION_PENDING, {
    values: { account },
    details: { transactionId, fate },
    cause,
  });
}

/** What the passkey approved: the call, and the account's key that signs it. */
interface Approved {
  readonly action: Action;
  readonly key: OpenableKey;
}

/** Step 2: the confirmation and its prompts. */
async function approve(
  context: FlowContext,
  account: LoggedInAccount,
  { deviceNumber, digest, recording }: Start,
  { confirmationConfig }: RegisterDeviceOptions,
  signer: Signer,
  { emit, signal: asked }: Run<'action'>,
): Promise<Approved> {
  const { contexts, config, rpId, store } = context;
  const { user, authenticators, session } = account;
  const { nearAccountId: accountId, clientNearPublicKey } = user;
  const signal = AbortSignal.any([asked, session]);
  const confirmer = context.confirmer();
  const decided = decideConfirmation({
    type: 'registerAccount',
    settings: await confirmationSettings(context, user, confirmationConfig),
    at: surroundings(store.host !== undefined),
    hasConfirmer: confirmer !== null,
  });
  const confirmation = new Confirmation(confirmer, decided, signal);
  const allow = passkeysOf(user, authenticators);
  const asking = newAsking(allow);
  const stopRefreshing = contexts.keep(accountId, clientNearPublicKey);
  /** Kept when a later prompt is tried again. */
  let earlier: WebAuthnAuthentication | undefined;
  try {
    emit('user-confirmation', 'progress', 'Waiting for your confirmation');
    const { networkId } = config;
    const shown = {
      kind: 'registration',
      accountId,
      deviceNumber,
      rpId,
      networkId,
      digest,
      recording,
    } as const;
    const answer = await confirmation.approve(shown, async () => {
      emit('user-confirmation', 'success', 'Confirmed');
      if (recording.asksTwice && !earlier) {
        const request = { accountId, allow, challenge: ownChallenge, signal };
        const { authentication, prf } = await askVerified(context, request, asking);
        wipe(prf.first, prf.second);
        if ((await es256KeysOf(authentication)).length === 0) throw keyUnknown(accountId);
        earlier = authentication;
      }
      return askPasskey(context, account, digest, asking, { emit, signal });
    });
    emit('authentication-complete', 'success', 'The passkey answered');
    const { challenge, authentication } = answer;
    const key = await openKey(signer, account, answer, asked).catch((error: unknown) => {
      if (isLatchkeyError(error, 'PASSKEY_DIFFERS'))
        void noteAnswer(context, user, authentication, asking, false);
      throw error;
    });
    await noteAnswer(context, user, authentication, asking, true);
    const publicKeyCose = await keyOfPasskey(account, authentication, earlier);
    const [{ transports = [], vrfPublicKey = '' } = {}] = authenticators;
    const passkey = { challenge, assertion: authentication, publicKeyCose, transports, vrfPublicKey };
    return { key, action: await existingRegistration(context, passkey, config.authenticatorOptions, asked) };
  } finally {
    stopRefreshing();
    confirmation.close();
  }
}

const keyUnknown = (account: string): LatchkeyError =>
  new LatchkeyError(PASSKEY_KEY_UNKNOWN, { values: { account } });

/** The passkey's public key, COSE: as this browser got it, or as two of its answers tell. */
async function keyOfPasskey(
  { user: { nearAccountId }, authenticators }: LoggedInAccount,
  answer: WebAuthnAuthentication,
  earlier: WebAuthnAuthentication | undefined,
): Promise<Uint8Array> {
  const known = earlier
    ? await es256KeyOf(answer, earlier)
    : authenticators.find(({ credentialId }) => credentialId === answer.id)?.credentialPublicKey;
  if (!known?.length) throw keyUnknown(nearAccountId);
  return known;
}

/**
 * Opens the account's key with the passkey, and seals it under a key of this call alone, which is never stored. Throws
 * PASSKEY_DIFFERS where the outputs open nothing, or do not derive the key again where that is still to be proven.
 */
async function openKey(
  signer: Signer,
  { user, encryptedKey: { encryptedData, iv } }: LoggedInAccount,
  { authentication, prf: { first, second } }: VerifiedAnswer<VrfChallenge>,
  signal: AbortSignal,
): Promise<OpenableKey> {
  const { nearAccountId: accountId, clientNearPublicKey: publicKey } = user;
  try {
    if (!isStillProven(user, authentication)) {
      const key = { publicKey, encryptedPrivateKey: { encryptedData, iv } };
      if (!(await proves(signer, accountId, key, { first: first.slice(), second }, signal)))
        throw new LatchkeyError(PASSKEY_DIFFERS, { values: { account: accountId } });
    }
    const wrappingKey = await makeWrappingKey();
    const keys = [{ publicKey, encryptedData, iv }];
    const options = { signal, transfer: [first.buffer] };
    const [sealed] = await signer.call('sealFromPasskey', [wrappingKey, accountId, first, keys], options);
    if (!sealed) throw new LatchkeyError(PASSKEY_DIFFERS, { values: { account: accountId } });
    return { wrappingKey, sealed };
  } catch (error) {
    throw orDiffers(error, accountId);
  } finally {
    wipe(first, second);
  }
}

/** Step 3: signs the call and sends it until it is final; signs it again when its nonce is overtaken. */
async function send(
  context: FlowContext,
  { user }: LoggedInAccount,
  { action, key: { wrappingKey, sealed } }: Approved,
  signer: Signer,
  run: Run<'action'>,
): Promise<ActionResult> {
  const { contexts, config } = context;
  const { nearAccountId: accountId, clientNearPublicKey: publicKey } = user;
  const key = { accountId, publicKey };
  const sign = async ({ blockHash }: TransactionContext): Promise<SignedTransaction> => {
    const { signed } = await withNonces(context, key, [undefined], ([nonce = '']) => {
      const call = {
        signerAccountId: accountId,
        receiverId: config.contractId,
        nonce,
        blockHash,
        actions: [action],
      };
      return signer.call('signWithSealedKey', [wrappingKey, sealed, call], { signal: run.signal });
    });
    return signed;
  };
  return signInTurn(context, key, 'shared', run, async (reading, endTurn) => {
    try {
      return await sendSigned(context, await sign(reading), {
        waitUntil: 'FINAL',
        run,
        resign: async () => sign(await contexts.renew(accountId, publicKey)),
        onSend: ({ hash }) =>
          run.emit('broadcasting', 'progress', 'Sending', { data: { transactionId: hash } }),
      });
    } catch (error) {
      throw inRecordWords(error, accountId);
    } finally {
      endTurn();
    }
  });
}

/** A registration whose outcome is not known is looked up by the next call, and by the next approval. */
function inRecordWords(error: unknown, account: string): unknown {
  if (!isLatchkeyError(error) || error.details.fate !== 'unknown') return error;
  return new LatchkeyError(REGISTRATION_PENDING, {
    values: { account },
    details: error.details,
    cause: error,
  });
}
