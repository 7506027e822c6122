/**
 * Registration: makes a passkey, derives its keys, and creates an account that holds them. The steps:
 *
 * 1. check that the name is free, on the chain and on this device, and that no earlier try for it is undecided
 * 2. the user confirms; make the passkey over a VRF challenge (one prompt; two where PRF comes only at get)
 * 3. derive the keys in the workers, and put the VRF keypair under the server lock
 * 4. ask the registry whether it would take this registration
 * 5. write the journal entry and ask the relay; the entry stays until the chain is clear, on any answer
 * 6. compare what the chain holds with what was made here
 * 7. store the records
 *
 * An existing session stays until then: the registration's keypairs live in a VRF worker of their own, which becomes the
 * session's worker at the end. A logout before the passkey is made, here or in another tab, ends the registration. After
 * a later one it goes on, because its account may already be under way, and ends without a session.
 */

import { base64urlnopad } from '@scure/base';
import { Confirmation } from '../../confirm/confirmation.js';
import { decideConfirmation, surroundings } from '../../confirm/decide.js';
import {
  ACCOUNT_EXISTS,
  INVALID_ACCOUNT_ID,
  isLatchkeyError,
  LatchkeyError,
  REGISTRATION_CHECK_FAILED,
} from '../../errors/account.js';
import { failedRegistration } from '../../failed-results.js';
import { registrationDigest } from '../../intent/index.js';
import { assertRegistrableAccountId, isDirectChildOf, rulesBelow } from '../../near/account-id.js';
import { authenticatorsOf, knownCredentials } from '../../registry/registry.js';
import { withMutex } from '../../storage/mutex.js';
import type { RegistrationEntry, ServerEncryptedVrfKeypair } from '../../storage/records.js';
import type { RegistrationOptions, RegistrationResult } from '../../types.js';
import { assertDevice } from '../../webauthn/device-check.js';
import { signalUnknown } from '../../webauthn/signal.js';
import { beforeAsking } from '../before-asking.js';
import type { FlowContext } from '../context.js';
import { freshHead } from '../fresh.js';
import { retrying } from '../retrying.js';
import { eventError, type Run, runFlow } from '../run.js';
import { lockCurrentKeypair } from '../session/server-lock.js';
import { confirmationSettings } from '../session/settings.js';
import { warn } from '../warn.js';
import { finish, loadSettling, pending } from './finish.js';
import {
  askRegistry,
  assertAccepting,
  bootstrapChallenge,
  deriveKeys,
  deviceRecords,
  type MadeDevice,
  type MadePasskey,
  makePasskey,
  wipeMade,
} from './new-passkey.js';

const DEVICE_NUMBER = 1;

export async function registerPasskey(
  context: FlowContext,
  accountId: string,
  options: RegistrationOptions,
): Promise<RegistrationResult> {
  return runFlow(
    'registration',
    options,
    async (run) => {
      checkName(context, accountId);
      await assertDevice('create', context.credentials);
      return oneAtATime(accountId, () => register(context, accountId, options, run));
    },
    (error, { emit }) => {
      emit('registration-error', 'error', error.message, eventError(error));
      return { ...failedRegistration(error, accountId), ...(isPending(error) && { pending: true }) };
    },
  );
}

/** Two tabs must not both make a passkey for one account: the second would destroy the first's. */
async function oneAtATime<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  return withMutex(`latchkey:register:${accountId}`, { ifAvailable: true }, async (held) => {
    if (!held) throw pending(accountId);
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
  const { store, signers } = context;
  const untilLogout = context.logout.until(signal);
  emit('webauthn-verification', 'progress', 'Checking the account name');
  loadSettling().catch(() => undefined);
  const earlier = await store.journal.entry('registration', accountId);
  const finished =
    earlier && (await (await import('./earlier.js')).finishEarlier(context, earlier, run, options));
  if (finished) return finished;

  const block = freshHead(context.rpc);
  const reading = Promise.all([
    retrying(() => context.rpc.viewAccount(accountId, { agreed: true, signal }), signal),
    store.authenticatorsOnDevice(accountId),
    retrying(() => assertAccepting(context, signal), signal),
    retrying(() => authenticatorsOf(context, accountId, signal), signal),
  ]);
  // The answers have named a block, so this asks for none.
  const read = reading.then(async (answers) => {
    await retrying(() => block.get(), signal);
    return answers;
  });
  const [account, known, , recorded] = await beforeAsking(context, untilLogout, read);
  if (account) throw new LatchkeyError(ACCOUNT_EXISTS, { values: { account: accountId } });

  const confirmer = context.confirmer();
  const decided = decideConfirmation({
    type: 'registerAccount',
    settings: await confirmationSettings(context, undefined, options.confirmationConfig),
    at: surroundings(context.store.host !== undefined),
    hasConfirmer: confirmer !== null,
  });
  const confirmation = new Confirmation(confirmer, decided, untilLogout);
  const signer = await signers.acquire(signal);
  const vrf = context.vrf.beside();
  const own: FlowContext = { ...context, vrf };
  const stopRefreshing = block.keep();
  let passkey: MadePasskey | undefined;
  /** The passkey, until its journal entry may exist: nothing of it has left this page before. */
  let unsent: string | undefined;
  try {
    const digest = await registrationDigest(accountId, DEVICE_NUMBER);
    const newPasskey = {
      accountId,
      deviceNumber: DEVICE_NUMBER,
      digest,
      exclude: [...known, ...knownCredentials(recorded)],
      challenge: bootstrapChallenge(own, { accountId, digest, block }, untilLogout),
    };
    passkey = await makePasskey(own, newPasskey, signer, confirmation, untilLogout);
    stopRefreshing();
    unsent = passkey.registration.id;
    untilLogout.throwIfAborted();
    emit('webauthn-verification', 'success', 'Passkey made', {
      data: { credentialId: passkey.registration.id },
    });

    emit('key-generation', 'progress', 'Deriving keys from the passkey');
    const made = await deriveKeys(own, signer, accountId, passkey, signal);
    emit('key-generation', 'success', 'Keys derived', { data: { publicKey: made.key.publicKey } });

    emit('contract-registration', 'progress', 'Checking whether the account can be created');
    const [locked, body] = await Promise.all([
      tryServerLock(own, accountId, signal),
      judgedBody(context, made, signal),
    ]);
    const entry = journalEntry(accountId, made, locked, { ...body, ...accountFields(made, accountId) });
    signal.throwIfAborted();
    unsent = undefined;
    if (!(await store.journal.open(entry))) {
      unsent = entry.credentialId;
      throw pending(accountId);
    }
    return await finish(context, entry, run, options, async () => {
      if (!untilLogout.aborted) context.vrf.takeOver(vrf);
    });
  } finally {
    if (unsent !== undefined) void signalUnknown(context.rpId, unsent);
    vrf.close();
    stopRefreshing();
    wipeMade(passkey);
    confirmation.close();
    signer.end();
  }
}

function checkName({ config }: FlowContext, accountId: string): void {
  const parent = config.relayer.accountId;
  assertRegistrableAccountId(accountId, rulesBelow(parent));
  if (!isDirectChildOf(accountId, parent)) {
    const reason = `New accounts end in .${parent}, with one name before it`;
    throw new LatchkeyError(INVALID_ACCOUNT_ID, { values: { reason } });
  }
}

/** The server lock is optional: without it the next login asks for the passkey. */
async function tryServerLock(
  context: FlowContext,
  accountId: string,
  signal: AbortSignal,
): Promise<ServerEncryptedVrfKeypair | null> {
  if (!context.config.shamir3pass) return null;
  try {
    return await lockCurrentKeypair(context, accountId, signal);
  } catch (error) {
    warn(context.config, 'The server lock was not set up', error);
    // The relay has not been asked for anything yet. If it is down, say so now, while nothing is in doubt.
    if (isLatchkeyError(error, 'RELAY_UNREACHABLE') && !(await context.relay.isReachable(signal)))
      throw error;
    return null;
  }
}

/** Returns the body for the relay: the one that the registry judged. */
async function judgedBody(
  context: FlowContext,
  made: MadeDevice,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const { body, verified, userExists, reason } = await askRegistry(context, made, signal);
  if (userExists) throw new LatchkeyError(ACCOUNT_EXISTS, { values: { account: made.challenge.userId } });
  if (!verified) throw new LatchkeyError(REGISTRATION_CHECK_FAILED, { values: { reason } });
  return body;
}

function accountFields(made: MadeDevice, accountId: string) {
  return {
    new_account_id: accountId,
    new_public_key: made.key.publicKey,
    device_number: DEVICE_NUMBER,
    deterministic_vrf_public_key: [...base64urlnopad.decode(made.vrfPublicKey)],
  };
}

function journalEntry(
  accountId: string,
  made: MadeDevice,
  locked: ServerEncryptedVrfKeypair | null,
  request: Readonly<Record<string, unknown>>,
): RegistrationEntry {
  return {
    kind: 'registration',
    accountId,
    nearPublicKey: made.key.publicKey,
    vrfPublicKeys: { bootstrap: made.challenge.vrfPublicKey, deterministic: made.vrfPublicKey },
    credentialId: made.registration.id,
    challengeHeight: Number(made.challenge.blockHeight),
    records: deviceRecords(accountId, DEVICE_NUMBER, made, locked),
    request,
    createdAt: Date.now(),
  };
}

function isPending(error: LatchkeyError): boolean {
  return isLatchkeyError(error, 'REGISTRATION_PENDING', 'REGISTRATION_NOT_STORED', 'RPC_DISAGREEMENT');
}
