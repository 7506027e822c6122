/**
 * Makes an account without a name: its passkey alone gives the key, and the key gives its id. The steps:
 *
 * 1. the user confirms; make the passkey over a random challenge (one prompt; two where the outputs need one)
 * 2. derive the keys in the workers, and the account's id from them
 * 3. store the records; the session is open
 *
 * No node and no relay is asked. The server lock follows in the background where the relay answers, else at the next login.
 * An existing session stays until the new one opens. A logout meanwhile, here or in another tab, ends it.
 */
import { Confirmation } from '../../confirm/confirmation.js';
import { decideConfirmation, surroundings } from '../../confirm/decide.js';
import { failedCreation } from '../../failed-results.js';
import type { CreateAccountArgs, CreateAccountOptions, CreatedAccount } from '../../types.js';
import { assertDevice } from '../../webauthn/device-check.js';
import { signalUnknown } from '../../webauthn/signal.js';
import { passkeyLabel } from '../../webauthn/user-handle.js';
import type { FlowContext } from '../context.js';
import { hiddenAddresses } from '../hidden-address.js';
import { eventError, type Run, runFlow } from '../run.js';
import { lockAnew } from '../session/server-lock.js';
import { getLoginState } from '../session/session.js';
import { confirmationSettings } from '../session/settings.js';
import { ownChallenge } from '../verified-passkey.js';
import {
  derivePasskeyAccount,
  deviceRecords,
  isProven,
  type MadePasskey,
  makePasskey,
  wipeMade,
} from './new-passkey.js';

const DEVICE_NUMBER = 1;

export async function createAccount(
  context: FlowContext,
  { label, options = {} }: CreateAccountArgs,
): Promise<CreatedAccount> {
  return runFlow(
    'registration',
    options,
    async (run) => {
      await assertDevice('create', context.credentials);
      return create(context, passkeyLabel(label), options, run);
    },
    (error, { emit }) => {
      emit('registration-error', 'error', error.message, eventError(error));
      return failedCreation(error);
    },
  );
}

async function create(
  context: FlowContext,
  label: string,
  { confirmationConfig }: CreateAccountOptions,
  { emit, signal: asked }: Run<'registration'>,
): Promise<CreatedAccount> {
  const { store, signers, closing } = context;
  const signal = context.logout.until(asked);
  const confirmer = context.confirmer();
  const decided = decideConfirmation({
    type: 'registerAccount',
    settings: await confirmationSettings(context, undefined, confirmationConfig),
    at: surroundings(store.host !== undefined),
    hasConfirmer: confirmer !== null,
  });
  const confirmation = new Confirmation(confirmer, decided, signal);
  const signer = await signers.acquire(signal);
  const vrf = context.vrf.beside();
  const own: FlowContext = { ...context, vrf };
  let passkey: MadePasskey<undefined> | undefined;
  /** The passkey, until its account is stored: nobody has seen an address of it before. */
  let unstored: string | undefined;
  try {
    emit('webauthn-verification', 'progress', 'Making the passkey');
    const request = {
      accountId: '',
      label,
      deviceNumber: DEVICE_NUMBER,
      digest: '',
      exclude: [],
      challenge: ownChallenge,
    };
    passkey = await makePasskey(own, request, signer, confirmation, signal);
    const { challenge: _, registration, confirmed, proof } = passkey;
    unstored = registration.id;
    emit('webauthn-verification', 'success', 'Passkey made', { data: { credentialId: registration.id } });

    emit('key-generation', 'progress', 'Deriving keys from the passkey');
    const { accountId, ...derived } = await derivePasskeyAccount(own, signer, passkey.prf, signal);
    const passkeyProven = await isProven(signer, accountId, derived.key, proof, signal, label);
    const { publicKey } = derived.key;
    emit('key-generation', 'success', 'Keys derived', { data: passkeyProven ? { publicKey } : {} });

    emit('database-storage', 'progress', 'Storing the encrypted keys on this device');
    signal.throwIfAborted();
    const made = { registration, confirmed, ...derived, passkeyProven };
    const { user, ...records } = deviceRecords(accountId, DEVICE_NUMBER, made, null);
    await store.replaceDevice({ ...records, user: { ...user, lastLogin: Date.now() } });
    unstored = undefined;
    await hiddenAddresses(store).read();
    emit('database-storage', 'success', 'Keys stored on this device');
    if (!signal.aborted) {
      context.vrf.takeOver(vrf);
      void lockAnew(context, user, context.logout.until(closing));
    }
    const loginState = await getLoginState(context, accountId);
    emit('registration-complete', 'success', 'The account is ready', { data: { passkeyProven } });
    return { success: true, nearAccountId: accountId, publicKey, passkeyProven, loginState };
  } finally {
    if (unstored !== undefined) void signalUnknown(context.rpId, unstored);
    vrf.close();
    wipeMade(passkey);
    confirmation.close();
    signer.end();
  }
}
