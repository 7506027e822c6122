/** Steps 2 to 5 of an export, in the document that shows the key: this one or a separate window of the wallet. */
import { retryReason, retryText } from '../confirm/confirmation.js';
import { isLatchkeyError } from '../errors/latchkey-error.js';
import type { Emit } from '../events.js';
import type { KeyToShow } from '../export/contract.js';
import { type KeyViewer, type OnCopied, openViewer } from '../export/open-viewer.js';
import { englishViewer, type ViewerLook } from '../export/viewer-texts.js';
import { wipe } from '../webauthn/prf.js';
import type { Signer } from '../workers/signer-pool.js';
import { askPrfFirst } from './ask-prf-first.js';
import type { FlowContext, ShowKey } from './context.js';
import { type Asking, newAsking, orDiffers } from './verified-passkey.js';

/** The viewer's script, built as one file. Every bundler finds it by this form. */
const KEY_VIEWER = new URL('../export/key-viewer.js', import.meta.url);
const RECEIVE_LIMIT_MS = 5_000;

/** What showing a key needs. */
export interface ShowingContext extends Pick<FlowContext, 'credentials' | 'signers' | 'confirmer'> {
  readonly onCopied?: OnCopied;
}

/** Shows the key in this document. */
export async function showKey(
  context: ShowingContext,
  ...[key, emit, signal]: Parameters<ShowKey>
): Promise<void> {
  const look = await lookOf(context);
  signal.throwIfAborted();
  const viewer = openViewer(KEY_VIEWER, key.model, look, signal, context.onCopied);
  try {
    await viewer.opened;
    emit('viewer-opened', 'success', 'The key viewer is open');
    await deliverAtClick(context, key, viewer, emit);
    emit('key-delivered', 'success', 'The viewer has the key');
    await viewer.closed;
  } finally {
    viewer.close();
  }
}

/** A brand that cannot be drawn stops no export. */
export async function lookOf({ confirmer }: Pick<FlowContext, 'confirmer'>): Promise<ViewerLook> {
  const plain = { language: 'en', texts: englishViewer };
  return (
    (await confirmer()
      ?.viewerLook?.()
      .catch(() => plain)) ?? plain
  );
}

/** One prompt for each click, until the viewer has the key. */
async function deliverAtClick(
  context: ShowingContext,
  key: KeyToShow,
  viewer: KeyViewer,
  emit: Emit<'export'>,
): Promise<void> {
  const asking = newAsking(key.passkeys);
  for (;;) {
    await viewer.requested();
    let signer: Signer | undefined;
    try {
      signer = await context.signers.acquire(viewer.signal);
      return await deliver(context, key, viewer, signer, asking, emit);
    } catch (error) {
      if (viewer.signal.aborted) throw viewer.signal.reason;
      if (!isLatchkeyError(error) || !retryReason(error)) throw error;
      viewer.failed(await retryText(error, context.confirmer()));
    } finally {
      signer?.end();
    }
  }
}

async function deliver(
  { credentials }: ShowingContext,
  { rpId, model: { accountId, publicKey }, passkeys, sealed }: KeyToShow,
  viewer: KeyViewer,
  signer: Signer,
  asking: Asking,
  emit: Emit<'export'>,
): Promise<void> {
  const { signal } = viewer;
  emit('webauthn-authentication', 'progress', 'Asking for the passkey');
  const first = await askPrfFirst({ rpId, credentials }, accountId, passkeys, signal, asking);
  emit('webauthn-authentication', 'success', 'The passkey answered');
  try {
    const port = viewer.openKeyPort();
    const options = { signal, transfer: [first.buffer, port] };
    await signer
      .call('exportKeypair', [accountId, first, sealed, publicKey, port], options)
      .catch((error: unknown) => {
        throw orDiffers(error, accountId);
      });
    await viewer.received(RECEIVE_LIMIT_MS);
  } finally {
    wipe(first);
  }
}
