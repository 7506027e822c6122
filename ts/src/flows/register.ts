/**
 * Registration: a passkey, the keys out of it, and an account on the chain that holds them. What happens:
 *
 * 1. the name is free, on the chain and on this device, and no earlier try for it is undecided
 * 2. the person confirms, the passkey is made over a VRF challenge (one prompt; two where PRF comes only at get)
 * 3. keys are derived in the workers, and the VRF keypair is put under the server lock
 * 4. the registry says whether it would take this registration
 * 5. the journal entry is written, the relay is asked; whatever it answers, the entry stays until the chain is clear
 * 6. what the chain holds is compared with what was made here
 * 7. the records are stored
 */
import { base64urlnopad } from '@scure/base';
import { assertRegistrableAccountId, isDirectChildOf } from '../account-id.js';
import { decideConfirmation, surroundings } from '../confirm/decide.js';
import { ConfirmSession, type Shown } from '../confirm/session.js';
import { isLatchkeyError, LatchkeyError, messageOf } from '../errors.js';
import { registrationDigest } from '../intent/index.js';
import {
  DEFAULT_PREFERENCES,
  type DeviceRecords,
  type RegistrationEntry,
  type ServerEncryptedVrfKeypair,
} from '../storage/records.js';
import type { EncryptedVrfKeypair, RegistrationOptions, RegistrationResult } from '../types.js';
import { assertPasskey, assertSecureContext, createPasskey, randomChallenge } from '../webauthn/passkeys.js';
import { type PrfOutputs, prfMissing, wipe } from '../webauthn/prf.js';
import type {
  ConfirmedRegistration,
  DerivedKeypair,
  VrfChallenge,
  WebAuthnRegistration,
} from '../workers/signer-api.js';
import type { Signer } from '../workers/signer-pool.js';
import type { FlowContext } from './context.js';
import { Fresh } from './fresh.js';
import { checkCanRegister, webAuthnChallenge } from './registry.js';
import { retrying } from './retrying.js';
import { eventError, failure, type Run, runFlow } from './run.js';
import { lockCurrentKeypair, openServerLock } from './server-lock.js';
import { confirmationSettings } from './settings.js';
import { settleSoon } from './settle-registration.js';

const DEVICE_NUMBER = 1;
const BLOCK_FRESH_MS = 20_000;
/** The relay's status for an account that exists already. */
const HTTP_CONFLICT = 409;

/** Everything made on this device for the new account, before the chain hears of it. */
interface Made {
  readonly challenge: VrfChallenge;
  readonly registration: WebAuthnRegistration;
  readonly confirmed: ConfirmedRegistration;
  readonly key: DerivedKeypair;
  readonly vrfPublicKey: string;
  readonly encryptedVrfKeypair: EncryptedVrfKeypair;
}

export async function registerPasskey(
  context: FlowContext,
  accountId: string,
  options: RegistrationOptions,
): Promise<RegistrationResult> {
  return runFlow(
    'registration',
    options,
    (run) => {
      checkName(context, accountId);
      assertSecureContext();
      return oneAtATime(accountId, () => register(context, accountId, options, run));
    },
    (error, { emit }) => {
      emit('registration-error', 'error', error.message, eventError(error));
      return {
        ...result(accountId, null, null),
        ...failure(error),
        ...(isPending(error) && { pending: true }),
      };
    },
  );
}

/** Two tabs must not both make a passkey for one account: the second would destroy the first's. */
async function oneAtATime<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  return navigator.locks.request(`latchkey:register:${accountId}`, { ifAvailable: true }, async (lock) => {
    if (!lock) throw new LatchkeyError('REGISTRATION_PENDING', { values: { account: accountId } });
    return work();
  });
}

async function register(
  context: FlowContext,
  accountId: string,
  options: RegistrationOptions,
  run: Run<'registration'>,
): Promise<RegistrationResult> {
  const { emit, signal } = run;
  const { store, signers, vrf } = context;
  emit('webauthn-verification', 'progress', 'Checking the account name');
  const earlier = await store.journalEntry('registration', accountId);
  const finished = earlier && (await finishEarlier(context, earlier, run));
  if (finished) return finished;

  const block = new Fresh(
    (stop) => context.rpc.block({ finality: 'final' }, { signal: stop }),
    BLOCK_FRESH_MS,
  );
  const [account, known] = await Promise.all([
    retrying(() => context.rpc.viewAccount(accountId, { signal }), signal),
    store.authenticators(accountId),
    retrying(() => block.get(), signal),
  ]);
  if (account) throw new LatchkeyError('ACCOUNT_EXISTS', { values: { account: accountId } });

  const confirmer = context.confirmer();
  const decided = decideConfirmation({
    type: 'registerAccount',
    settings: confirmationSettings(context, undefined, options.confirmationConfig),
    at: surroundings(),
    hasConfirmer: confirmer !== null,
  });
  const session = new ConfirmSession(confirmer, decided, signal);
  const signer = await signers.acquire(signal);
  const stopRefreshing = block.keep();
  let prf: PrfOutputs | undefined;
  try {
    const passkey = await makePasskey(context, accountId, known, block, session, run);
    stopRefreshing();
    prf = passkey.prf;
    emit('webauthn-verification', 'success', 'Passkey made', {
      data: { credentialId: passkey.registration.id },
    });

    emit('key-generation', 'progress', 'Deriving keys from the passkey');
    const made = await deriveKeys(context, signer, accountId, passkey, signal);
    emit('key-generation', 'success', 'Keys derived', { data: { publicKey: made.key.publicKey } });

    emit('contract-registration', 'progress', 'Asking the registry whether it takes this registration');
    const [locked, body] = await Promise.all([
      tryServerLock(context, accountId, signal),
      askRegistry(context, signer, made, signal),
    ]);
    const entry = journalEntry(accountId, made, locked, { ...body, ...accountFields(made, accountId) });
    signal.throwIfAborted();
    await store.openEntry(entry);
    return await finish(context, entry, run);
  } catch (error) {
    await vrf.call('logout', []).catch((failed) => context.config.logger.warn(messageOf(failed)));
    throw error;
  } finally {
    stopRefreshing();
    wipe(prf?.first, prf?.second);
    session.close();
    signer.end();
  }
}

/** The result of an earlier try that came to an account after all; undefined when it can come to none any more. */
async function finishEarlier(
  context: FlowContext,
  entry: RegistrationEntry,
  run: Run<'registration'>,
): Promise<RegistrationResult | undefined> {
  const { accountId } = entry;
  const settled = await settleSoon(context, entry, undefined, { once: true });
  if (settled === 'dropped') return undefined;
  if (settled === 'mismatched') throw mismatch(context, accountId);
  if (settled === 'committed') {
    run.emit('registration-complete', 'success', 'An earlier registration had succeeded after all');
    await logInSilently(context, entry, run.signal);
    return result(accountId, entry, null);
  }
  if (!entry.refused) throw new LatchkeyError('REGISTRATION_PENDING', { values: { account: accountId } });
  // What the relay refused is asked again with the passkey that was made: another one would destroy it.
  const finished = await finish(context, entry, run);
  await logInSilently(context, entry, run.signal);
  return finished;
}

/** A registration ends logged in; with the passkey of an earlier try, where the server lock opens. */
async function logInSilently(
  context: FlowContext,
  { accountId, records, vrfPublicKeys }: RegistrationEntry,
  signal: AbortSignal,
): Promise<void> {
  const { config, vrf } = context;
  const locked = records.user.serverEncryptedVrfKeypair;
  if (!config.shamir3pass || !locked) return;
  try {
    await openServerLock(context, accountId, locked, [vrfPublicKeys.deterministic], signal);
  } catch (error) {
    config.logger.info('The server lock did not open, the next login asks for the passkey', messageOf(error));
    await vrf.call('logout', []).catch((failed) => config.logger.warn(messageOf(failed)));
  }
}

/** From the journal entry to the records on this device. */
async function finish(
  context: FlowContext,
  entry: RegistrationEntry,
  run: Run<'registration'>,
): Promise<RegistrationResult> {
  const { emit } = run;
  const transactionId = await createOnChain(context, entry, run);
  emit('database-storage', 'progress', 'Storing the encrypted keys on this device');
  await context.store.commitEntry(entry, { lastLogin: Date.now() }).catch((error) => {
    throw notStored(error, entry.accountId);
  });
  emit('database-storage', 'success', 'Keys stored on this device');
  emit('registration-complete', 'success', `${entry.accountId} is registered`);
  return result(entry.accountId, entry, transactionId);
}

/** The account exists by now: its records are in the journal entry, and settling it stores them. */
function notStored(error: unknown, account: string): LatchkeyError {
  return new LatchkeyError('REGISTRATION_NOT_STORED', {
    values: { account, reason: messageOf(error) },
    cause: error,
  });
}

function mismatch({ config }: FlowContext, account: string): LatchkeyError {
  return new LatchkeyError('REGISTRATION_MISMATCH', { values: { account, relay: config.relayer.url } });
}

function checkName({ config }: FlowContext, accountId: string): void {
  assertRegistrableAccountId(accountId);
  const parent = config.relayer.accountId;
  if (!isDirectChildOf(accountId, parent)) {
    const reason = `New accounts end in .${parent}, with one name before it`;
    throw new LatchkeyError('INVALID_ACCOUNT_ID', { values: { reason } });
  }
}

interface MadePasskey {
  readonly challenge: VrfChallenge;
  readonly registration: WebAuthnRegistration;
  readonly prf: PrfOutputs;
}

async function makePasskey(
  { config, rpId, vrf }: FlowContext,
  accountId: string,
  known: Parameters<typeof createPasskey>[0]['exclude'],
  block: Fresh<{ readonly header: { readonly height: number; readonly hash: string } }>,
  session: ConfirmSession,
  { signal }: Run<'registration'>,
): Promise<MadePasskey> {
  const digest = await registrationDigest(accountId, DEVICE_NUMBER);
  const shown: Shown = {
    kind: 'registration',
    accountId,
    deviceNumber: DEVICE_NUMBER,
    rpId,
    networkId: config.networkId,
    digest,
  };

  // Kept over another try of the get(): a second create() would overwrite the passkey just made.
  let created: { readonly challenge: VrfChallenge; readonly registration: WebAuthnRegistration } | undefined;
  return session.approve(shown, async () => {
    if (!created) {
      const { header } = await block.get();
      const { challenge } = await vrf
        .call(
          'generateKeypairBootstrap',
          [
            {
              userId: accountId,
              rpId,
              blockHeight: String(header.height),
              blockHash: header.hash,
              intentDigest: digest,
            },
          ],
          { signal },
        )
        .catch(rethrow('VRF_BOOTSTRAP_FAILED'));
      const passkey = await createPasskey({
        rpId,
        accountId,
        deviceNumber: DEVICE_NUMBER,
        challenge: webAuthnChallenge(challenge),
        exclude: known,
        signal,
      });
      created = { challenge, registration: passkey.registration };
      if (passkey.prf.kind === 'outputs') return { ...created, prf: passkey.prf.outputs };
      if (passkey.prf.kind === 'none') throw prfMissing();
    }
    // Security keys and Firefox give the outputs only here.
    const asserted = await assertPasskey({
      rpId,
      accountId,
      challenge: randomChallenge(),
      allow: [
        { credentialId: created.registration.id, transports: created.registration.response.transports ?? [] },
      ],
      signal,
    });
    if (asserted.prf.kind !== 'outputs') throw prfMissing();
    return { ...created, prf: asserted.prf.outputs };
  });
}

async function deriveKeys(
  { rpId, vrf }: FlowContext,
  signer: Signer,
  accountId: string,
  { challenge, registration, prf }: MadePasskey,
  signal: AbortSignal,
): Promise<Made> {
  const firstForVrf = prf.first.slice();
  const [derived, key, confirmed] = await Promise.all([
    vrf
      .call('deriveKeypairFromPrf', [accountId, firstForVrf, true], {
        signal,
        transfer: [firstForVrf.buffer],
      })
      .catch(rethrow('VRF_DERIVATION_FAILED')),
    signer.call('deriveAndEncrypt', [accountId, prf.first, prf.second], {
      signal,
      transfer: [prf.first.buffer, prf.second.buffer],
    }),
    signer.call('confirmRegistrationCredential', [
      {
        credential: registration,
        expectedChallenge: base64urlnopad.encode(webAuthnChallenge(challenge)),
        rpId,
      },
    ]),
  ]).finally(() => wipe(firstForVrf));
  return { challenge, registration, confirmed, key, ...derived };
}

/** The server lock is a convenience: without it the next login asks for the passkey. */
async function tryServerLock(
  context: FlowContext,
  accountId: string,
  signal: AbortSignal,
): Promise<ServerEncryptedVrfKeypair | null> {
  if (!context.config.shamir3pass) return null;
  try {
    return await lockCurrentKeypair(context, accountId, signal);
  } catch (error) {
    context.config.logger.warn('The server lock was not set up', messageOf(error));
    // Nothing was asked of the relay yet. If it is down, say so now, while nothing is in doubt.
    if (isLatchkeyError(error, 'RELAY_UNREACHABLE') && !(await context.relay.isReachable(signal)))
      throw error;
    return null;
  }
}

/** Asks the registry; answers the body that the relay gets, which is what the registry judged. */
async function askRegistry(
  context: FlowContext,
  signer: Signer,
  { challenge, registration }: Made,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const { userVerification, originPolicy } = context.config.authenticatorOptions;
  const options = { user_verification: userVerification, origin_policy: originPolicy };
  const args = await signer.call('buildCheckCanRegister', [challenge, registration, options], { signal });
  const answer = await retrying(() => checkCanRegister(context, args, signal), signal);
  const judged = await signer.call('judgeCheckCanRegister', [answer.bytes], { signal });
  if (judged.userExists) throw new LatchkeyError('ACCOUNT_EXISTS', { values: { account: challenge.userId } });
  if (!judged.verified) {
    const reason = answer.logs.at(-1) ?? 'the registry did not accept the passkey';
    throw new LatchkeyError('REGISTRATION_CHECK_FAILED', { values: { reason } });
  }
  return JSON.parse(new TextDecoder().decode(args)) as Record<string, unknown>;
}

function accountFields(made: Made, accountId: string) {
  return {
    new_account_id: accountId,
    new_public_key: made.key.publicKey,
    device_number: DEVICE_NUMBER,
    deterministic_vrf_public_key: [...base64urlnopad.decode(made.vrfPublicKey)],
  };
}

/** Asks the relay, and then the chain whether the account's keys are ours. Answers the transaction's id. */
async function createOnChain(
  context: FlowContext,
  entry: RegistrationEntry,
  { emit, signal }: Run<'registration'>,
): Promise<string | null> {
  const { store, relay, config } = context;
  emit('access-key-addition', 'progress', 'Creating the account');
  let transactionId: string | null = null;
  let refusal: LatchkeyError | undefined;
  try {
    ({ transactionHash: transactionId } = await relay.createAccountAndRegisterUser(entry.request, signal));
  } catch (error) {
    config.logger.warn('The relay did not confirm the registration', messageOf(error));
    if (isLatchkeyError(error, 'RELAY_REFUSED')) refusal = error;
  }

  // From here on only the chain is believed: the relay's answer may be lost, or wrong.
  emit('account-verification', 'progress', 'Comparing the account with the keys of this device');
  const outcome = await settleSoon(context, entry, signal, { keep: true, once: refusal !== undefined });
  if (outcome === 'matched') {
    emit('access-key-addition', 'success', 'The account was created', { data: { transactionId } });
    emit('contract-registration', 'success', 'The passkey is registered');
    emit('account-verification', 'success', 'The account holds exactly the keys of this device');
    return transactionId;
  }
  if (outcome === 'mismatched' && refusal?.details.status !== HTTP_CONFLICT) {
    throw mismatch(context, entry.accountId);
  }
  if (refusal) {
    if (outcome === 'pending') await store.markRefused(entry);
    throw refusalError(refusal, entry.accountId);
  }
  if (outcome === 'dropped') {
    throw new LatchkeyError('ATOMIC_REGISTRATION_FAILED', {
      values: { reason: 'the account was not created' },
    });
  }
  throw new LatchkeyError('REGISTRATION_PENDING', { values: { account: entry.accountId } });
}

function refusalError(refusal: LatchkeyError, accountId: string): LatchkeyError {
  return refusal.details.status === HTTP_CONFLICT
    ? new LatchkeyError('ACCOUNT_EXISTS', { values: { account: accountId }, cause: refusal })
    : new LatchkeyError('ATOMIC_REGISTRATION_FAILED', {
        values: { reason: refusal.message },
        cause: refusal,
      });
}

function journalEntry(
  accountId: string,
  made: Made,
  locked: ServerEncryptedVrfKeypair | null,
  request: Readonly<Record<string, unknown>>,
): RegistrationEntry {
  const now = Date.now();
  const device = { nearAccountId: accountId, deviceNumber: DEVICE_NUMBER };
  const { id, rawId, response } = made.registration;
  const records: DeviceRecords = {
    user: {
      ...device,
      registeredAt: now,
      lastLogin: null,
      lastUpdated: now,
      clientNearPublicKey: made.key.publicKey,
      passkeyCredential: { id, rawId },
      preferences: DEFAULT_PREFERENCES,
      encryptedVrfKeypair: made.encryptedVrfKeypair,
      serverEncryptedVrfKeypair: locked,
    },
    authenticator: {
      ...device,
      credentialId: id,
      credentialPublicKey: made.confirmed.credentialPublicKey,
      transports: response.transports ?? [],
      name: 'Passkey',
      registered: new Date(now).toISOString(),
      syncedAt: new Date(now).toISOString(),
      vrfPublicKey: made.vrfPublicKey,
    },
    encryptedKey: { ...device, ...made.key.encryptedPrivateKey, timestamp: now },
  };
  return {
    kind: 'registration',
    accountId,
    nearPublicKey: made.key.publicKey,
    vrfPublicKeys: { bootstrap: made.challenge.vrfPublicKey, deterministic: made.vrfPublicKey },
    credentialId: id,
    challengeHeight: Number(made.challenge.blockHeight),
    records,
    request,
    createdAt: now,
  };
}

function result(
  accountId: string,
  entry: RegistrationEntry | null,
  transactionId: string | null,
): RegistrationResult {
  return {
    success: entry !== null,
    nearAccountId: accountId,
    clientNearPublicKey: entry?.nearPublicKey ?? null,
    transactionId,
    vrfRegistration: {
      success: entry !== null,
      vrfPublicKey: entry?.vrfPublicKeys.deterministic ?? null,
      encryptedVrfKeypair: entry?.records.user.encryptedVrfKeypair ?? null,
      contractVerified: entry !== null,
    },
  };
}

function isPending(error: LatchkeyError): boolean {
  return isLatchkeyError(error, 'REGISTRATION_PENDING', 'REGISTRATION_NOT_STORED');
}

function rethrow(code: 'VRF_BOOTSTRAP_FAILED' | 'VRF_DERIVATION_FAILED') {
  return (error: unknown): never => {
    if (isLatchkeyError(error, 'CANCELLED', code)) throw error;
    throw new LatchkeyError(code, { values: { reason: messageOf(error) }, cause: error });
  };
}
