/**
 * Key export: the person reads a warning in a viewer of its own, clicks there, and one prompt later the viewer has
 * the private key, hidden until they ask.
 *
 * 1. the account's records are on this device; chain, relay and session are not needed, for the passkey alone opens
 *    what is stored: an export is what is left when all else is down
 * 2. the viewer is open and warns; a click in it is the fresh gesture for the prompt
 * 3. the passkey gives PRF.first (a random challenge, for nobody verifies it); decrypting is confirmed by that click,
 *    and never has a confirmation of its own
 * 4. the signer worker opens the key and sends it to the viewer, through a port that this page only passes on
 * 5. the viewer is closed, and what it held is wiped
 */
import { assertAccountId } from '../account-id.js';
import { clickPlace } from '../confirm/click-place.js';
import { decideConfirmation, surroundings } from '../confirm/decide.js';
import { tellsVisibility } from '../confirm/guard.js';
import { retryReason, retryText } from '../confirm/session.js';
import { assertSettings } from '../confirm/settings-check.js';
import { EXPORT_UNSEEN_TEXT, isLatchkeyError, LatchkeyError } from '../errors/export.js';
import type { ViewerModel } from '../export/contract.js';
import { type KeyViewer, openViewer } from '../export/open-viewer.js';
import type { UserRecord } from '../storage/records.js';
import type { ConfirmationConfig, ExportKeypairOptions, ExportKeypairResult } from '../types.js';
import { assertSecureContext } from '../webauthn/passkeys.js';
import { wipe } from '../webauthn/prf.js';
import type { Signer } from '../workers/signer-pool.js';
import { askPrfFirst } from './ask-prf-first.js';
import type { FlowContext } from './context.js';
import { eventError, failure, type Run, runFlow } from './run.js';
import { confirmationSettings } from './session/settings.js';
import { type SigningAccount, signingAccount } from './signing/approve.js';

/** The viewer's script, built as one file. Every bundler finds it by this form. */
const KEY_VIEWER = new URL('../export/key-viewer.js', import.meta.url);
const RECEIVE_LIMIT_MS = 5_000;

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
  if (!context.config.keyExport.sameOrigin) throw new LatchkeyError('EXPORT_NEAR_KEYPAIR_DISABLED');
  assertClickIsSafe(context);
  assertAccountId(accountId);
  assertSecureContext();
  const account = await localMaterial(context, accountId);
  emit('preparation', 'success', 'The key is on this device');

  const model = await viewerModel(context, account.user, options);
  const viewer = openViewer(KEY_VIEWER, model, signal);
  let isOpen = false;
  try {
    await viewer.opened;
    isOpen = true;
    emit('viewer-opened', 'success', 'The key viewer is open');
    await deliverAtClick(context, account, viewer, run);
    emit('key-delivered', 'success', 'The viewer has the key');
    await viewer.closed;
  } finally {
    viewer.close();
    if (isOpen) emit('viewer-closed', 'success', 'The key viewer is closed');
  }
  return { success: true, nearAccountId: accountId, publicKey: account.user.clientNearPublicKey };
}

/** The viewer's click could be stolen where a page lies around the wallet and the browser does not tell what is painted. */
function assertClickIsSafe({ store, isTrustedHost = false }: FlowContext): void {
  const at = { isFramed: store.host !== undefined, tracksVisibility: tellsVisibility(), isTrustedHost };
  if (clickPlace('export', at) === 'here') return;
  throw new LatchkeyError('CLICK_REQUIRED', { message: EXPORT_UNSEEN_TEXT });
}

/** The records of the account. Whatever of them is missing, the way out is the same. */
async function localMaterial(context: FlowContext, accountId: string): Promise<SigningAccount> {
  const user = await context.store.user(accountId);
  if (!user?.clientNearPublicKey) throw new LatchkeyError('NO_LOCAL_KEY_MATERIAL');
  try {
    return await signingAccount(context, user);
  } catch (error) {
    if (!isLatchkeyError(error, 'NO_AUTHENTICATORS', 'NO_ENCRYPTED_KEY')) throw error;
    throw new LatchkeyError('NO_LOCAL_KEY_MATERIAL', { cause: error });
  }
}

async function viewerModel(
  context: FlowContext,
  user: UserRecord,
  { variant, theme, confirmationConfig }: ExportKeypairOptions,
): Promise<ViewerModel> {
  const ofCall: Partial<ConfirmationConfig> = {
    ...confirmationConfig,
    ...(variant && { uiMode: variant }),
    ...(theme && { theme }),
  };
  assertSettings(ofCall);
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
    // A key cannot be shown without a viewer: 'skip' is none of its forms.
    variant: decided.uiMode === 'drawer' ? 'drawer' : 'modal',
    theme: decided.theme,
  };
}

/** One prompt for each click, until the viewer has the key. */
async function deliverAtClick(
  context: FlowContext,
  account: SigningAccount,
  viewer: KeyViewer,
  run: Run<'export'>,
): Promise<void> {
  for (;;) {
    await viewer.requested();
    let signer: Signer | undefined;
    try {
      signer = await context.signers.acquire(viewer.signal);
      return await deliver(context, account, viewer, signer, run);
    } catch (error) {
      if (viewer.signal.aborted) throw viewer.signal.reason;
      if (!isLatchkeyError(error) || !retryReason(error)) throw error;
      viewer.failed(retryText(error));
    } finally {
      signer?.end();
    }
  }
}

async function deliver(
  context: FlowContext,
  { user, authenticators, encryptedKey }: SigningAccount,
  viewer: KeyViewer,
  signer: Signer,
  { emit }: Run<'export'>,
): Promise<void> {
  const { signal } = viewer;
  const { nearAccountId: accountId, clientNearPublicKey: publicKey } = user;
  emit('webauthn-authentication', 'progress', 'Asking for the passkey');
  const first = await askPrfFirst(context, accountId, authenticators, signal);
  emit('webauthn-authentication', 'success', 'The passkey answered');
  try {
    const { encryptedData, iv } = encryptedKey;
    const port = viewer.openKeyPort();
    await signer.call('exportKeypair', [accountId, first, { encryptedData, iv }, publicKey, port], {
      signal,
      transfer: [first.buffer, port],
    });
    await viewer.received(RECEIVE_LIMIT_MS);
  } finally {
    wipe(first);
  }
}
