/** A field that the wallet draws over a container of the page, since passkeys are offered only in the document that asks for them. */
import type { RecoveryOptions, RecoveryResult } from '../../types.js';
import { type ButtonMessages, mountButton } from './mount-button.js';
import { flowOver, type PortRequests } from './port-requests.js';
import type { WalletFrame } from './wallet-frame.js';

/** `end` resolves with the recovery by the passkey that the user chose. Disposed, it ends with CANCELLED. */
export function mountPasskeyField(
  frame: WalletFrame,
  { askToEnd }: Pick<PortRequests, 'askToEnd'>,
  container: Element,
  options: RecoveryOptions,
): { readonly end: Promise<RecoveryResult>; dispose(): void } {
  const { confirmationConfig, signal: ofCaller } = options;
  return mountButton(frame, { container }, NO_CLICKS, ({ signal: disposed, onResult }) => {
    const signal = ofCaller ? AbortSignal.any([ofCaller, disposed]) : disposed;
    return flowOver('recovery', { ...options, signal }, (run) =>
      askToEnd(
        'PM_MOUNT_PASSKEY_FIELD',
        { ...(confirmationConfig && { confirmationConfig }) },
        { ...run, onResult },
      ),
    );
  });
}

const NO_CLICKS: ButtonMessages = { submit: () => undefined, result: () => undefined };
