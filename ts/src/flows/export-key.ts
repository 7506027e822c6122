/**
 * Key export: the user reads a warning in a viewer of its own, clicks there, and one prompt later the viewer has
 * the private key, hidden until they ask.
 *
 * 1. the account's records are on this device; the passkey alone opens them, so an export needs neither chain, relay nor
 *    session and works when all of these are down
 * 2. the viewer opens and warns; a click in it is the fresh gesture for the prompt
 * 3. the passkey gives PRF.first (over a random challenge that is never verified); the click confirms the decryption,
 *    which has no confirmation of its own
 * 4. the signer worker opens the key and sends it to the viewer, through a port that this page only passes on
 * 5. the viewer closes and wipes what it held
 *
 * Steps 2 to 5 run in this document, or in a separate window of the wallet where a page could steal the click unseen.
 */

import { decideConfirmation, surroundings } from '../confirm/decide.js';
import {
  EXPORT_NEAR_KEYPAIR_DISABLED,
  isLatchkeyError,
  LatchkeyError,
  NO_LOCAL_KEY_MATERIAL,
} from '../errors/account.js';
import type { KeyToShow, ViewerModel } from '../export/contract.js';
import { failure } from '../failed-results.js';
import { assertExistingAccountId } from '../near/account-id.js';
import type { UserRecord } from '../storage/records.js';
import type { ConfirmationWish, ExportKeypairOptions, ExportKeypairResult } from '../types.js';
import { assertSecureContext } from '../webauthn/passkeys.js';
import type { FlowContext } from './context.js';
import { eventError, type Run, runFlow } from './run.js';
import { confirmationSettings } from './session/settings.js';
import { showKey } from './show-key.js';
import { type SigningAccount, signingAccount } from './signing/approve.js';
import { passkeysOf } from './verified-passkey.js';

export async function exportNearKeypairWithUI(
  context: FlowContext,
  accountId: string,
  options: ExportKeypairOptions,
): Promise<ExportKeypairResult> {
  return runFlow(
    'export',
    options,
    (run) => exportKey(context, accountId, options, run),
    (error, { emit }) => {
      emit('export-error', 'error', error.message, eventError(error));
      return { ...failure(error), nearAccountId: accountId, publicKey: null };
    },
  );
}

async function exportKey(
  context: FlowContext,
  accountId: string,
  options: ExportKeypairOptions,
  run: Run<'export'>,
): Promise<ExportKeypairResult> {
  const { emit, signal } = run;
  emit('preparation', 'progress', 'Looking for the key on this device');
  if (!context.config.keyExport.sameOrigin) throw new LatchkeyError(EXPORT_NEAR_KEYPAIR_DISABLED);
  assertExistingAccountId(accountId);
  assertSecureContext();
  const account = await localMaterial(context, accountId);
  emit('preparation', 'success', 'The key is on this device');

  const model = await viewerModel(context, account.user, options);
  const key = keyToShow(context, account, model);
  let isOpen = false;
  const report: typeof emit = (phase, ...news) => {
    isOpen ||= phase === 'viewer-opened';
    emit(phase, ...news);
  };
  try {
    await (context.showKeyInWindow?.(key, report, signal) ?? showKey(context, key, report, signal));
  } finally {
    if (isOpen) emit('viewer-closed', 'success', 'The key viewer is closed');
  }
  return { success: true, nearAccountId: accountId, publicKey: account.user.clientNearPublicKey };
}

/** The account's records. If any is missing, the error is the same. */
async function localMaterial(context: FlowContext, accountId: string): Promise<SigningAccount> {
  const user = await context.store.user(accountId);
  if (!user?.clientNearPublicKey) throw new LatchkeyError(NO_LOCAL_KEY_MATERIAL);
  try {
    return await signingAccount(context, user);
  } catch (error) {
    if (!isLatchkeyError(error, 'NO_AUTHENTICATORS', 'NO_ENCRYPTED_KEY')) throw error;
    throw new LatchkeyError(NO_LOCAL_KEY_MATERIAL, { cause: error });
  }
}

async function viewerModel(
  context: FlowContext,
  user: UserRecord,
  { variant, theme, confirmationConfig }: ExportKeypairOptions,
): Promise<ViewerModel> {
  const ofCall: ConfirmationWish = {
    ...confirmationConfig,
    ...(variant && { uiMode: variant }),
    ...(theme && { theme }),
  };
  const decided = decideConfirmation({
    type: 'showSecurePrivateKeyUi',
    settings: await confirmationSettings(context, user, ofCall),
    at: surroundings(),
    // The viewer takes the click itself.
    hasConfirmer: true,
  });
  return {
    accountId: user.nearAccountId,
    publicKey: user.clientNearPublicKey,
    networkId: context.config.networkId,
    // A key cannot be shown without a viewer, so 'skip' becomes a modal.
    variant: decided.uiMode === 'drawer' ? 'drawer' : 'modal',
    theme: decided.theme,
  };
}

/** The fields of the records that the viewer's side needs. */
function keyToShow(
  { rpId }: FlowContext,
  { user, authenticators, encryptedKey: { encryptedData, iv } }: SigningAccount,
  model: ViewerModel,
): KeyToShow {
  const passkeys = passkeysOf(user, authenticators).map(
    ({ credentialId, transports, aaguid, verifiesUnnamed }) => ({
      credentialId,
      transports,
      ...(aaguid !== undefined && { aaguid }),
      ...(verifiesUnnamed && { verifiesUnnamed }),
    }),
  );
  return { rpId, model, passkeys, sealed: { encryptedData, iv } };
}
