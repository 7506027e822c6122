/** A transaction button that the wallet draws over a container of the page: one click there shows and confirms. */
import { checkedSettings } from '../../confirm/settings-check.js';
import type { EventListener } from '../../events.js';
import type { ActionResult, SignAndSendOptions, TransactionInput } from '../../types.js';
import { readMessage, TX_BUTTON_RESULT, TX_BUTTON_SUBMIT } from '../window-messages.js';
import { type ButtonFailure, type ButtonMessages, mountButton } from './mount-button.js';
import { flowOver, type PortRequests } from './port-requests.js';
import type { WalletFrame } from './wallet-frame.js';

export interface WalletTransactionButtonOptions
  extends Pick<SignAndSendOptions, 'confirmationConfig' | 'waitUntil' | 'executionWait'> {
  /**
   * The button covers this element and follows it; give the element the size that the button should have. From 200 by 160
   * pixels on, it shows the transactions, and its click confirms; a smaller one opens the wallet's confirmation. Not inside
   * a modal dialog of the page: browsers make everything outside the dialog inert.
   */
  readonly container: Element;
  readonly nearAccountId: string;
  readonly transactions: readonly TransactionInput[];
  readonly onEvent?: EventListener<'action'> | undefined;
  /** The user clicked. */
  readonly onSubmit?: (() => void) | undefined;
  /** A click after which not every transaction succeeded; the button can be clicked again. */
  readonly onFailure?: ((failure: ButtonFailure) => void) | undefined;
}

export interface WalletTransactionButton {
  /**
   * Resolves when every transaction has succeeded; the button is gone then. Rejects with CANCELLED when the button is
   * disposed, with INVALID_ACTION for transactions that cannot be signed, and when the wallet's frame could not be used.
   */
  readonly sent: Promise<readonly ActionResult[]>;
  /** Removes the button and cancels a running signature. */
  dispose(): void;
}

export function mountWalletTransactionButton(
  frame: WalletFrame,
  { askToEnd }: Pick<PortRequests, 'askToEnd'>,
  options: WalletTransactionButtonOptions,
): WalletTransactionButton {
  const { nearAccountId, transactions, confirmationConfig, waitUntil, executionWait, onEvent } = options;
  const { end, dispose } = mountButton(frame, options, MESSAGES, ({ signal, onResult }) =>
    flowOver('action', { signal, ...(onEvent && { onEvent }) }, (run) =>
      askToEnd(
        'PM_MOUNT_TX_BUTTON',
        {
          nearAccountId,
          transactions,
          ...(confirmationConfig && { confirmationConfig: checkedSettings(confirmationConfig) }),
          options: { ...(waitUntil && { waitUntil }), ...(executionWait && { executionWait }) },
        },
        { ...run, onResult },
      ),
    ),
  );
  return { sent: end, dispose };
}

const MESSAGES: ButtonMessages = {
  submit: (event, from) => readMessage(TX_BUTTON_SUBMIT, event, from),
  result: (event, from) => readMessage(TX_BUTTON_RESULT, event, from),
};
