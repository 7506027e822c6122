/** A register button that the wallet draws over a container of the page, so that the click falls inside the frame. */
import type { EventListener } from '../../events.js';
import type { ConfirmationWish, RegistrationResult } from '../../types.js';
import { REGISTER_BUTTON_RESULT, REGISTER_BUTTON_SUBMIT, readMessage } from '../window-messages.js';
import { type ButtonMessages, mountButton } from './mount-button.js';
import { flowOver, type PortRequests } from './port-requests.js';
import type { WalletFrame } from './wallet-frame.js';

export interface RegisterButtonOptions {
  /**
   * The button covers this element and follows it; give the element the size that the button should have. A button
   * inside a modal dialog of the page is out of reach: browsers make everything outside the dialog inert.
   */
  readonly container: Element;
  readonly nearAccountId: string;
  readonly confirmationConfig?: ConfirmationWish | undefined;
  /** As in {@link RegistrationOptions}. */
  readonly signupVoucher?: string | undefined;
  readonly onEvent?: EventListener<'registration'> | undefined;
  /** The user clicked. */
  readonly onSubmit?: (() => void) | undefined;
  /** The outcome of a click that did not lead to an account; the button can be clicked again. */
  readonly onFailure?:
    | ((failure: { readonly error: string; readonly cancelled: boolean }) => void)
    | undefined;
}

export interface RegisterButton {
  /**
   * Resolves with the registration that succeeded; the button is gone then. Rejects with REGISTRATION_CANCELLED when
   * the button is disposed, and when the wallet's frame could not be used.
   */
  readonly registered: Promise<RegistrationResult>;
  /** Removes the button and cancels a running registration. */
  dispose(): void;
}

export function mountRegisterButton(
  frame: WalletFrame,
  { askToEnd }: Pick<PortRequests, 'askToEnd'>,
  options: RegisterButtonOptions,
): RegisterButton {
  const { nearAccountId, confirmationConfig, signupVoucher, onEvent } = options;
  const { end, dispose } = mountButton(frame, options, MESSAGES, ({ signal, onResult }) =>
    flowOver('registration', { signal, ...(onEvent && { onEvent }) }, (run) =>
      askToEnd(
        'PM_MOUNT_REGISTER_BUTTON',
        {
          nearAccountId,
          ...(confirmationConfig && { confirmationConfig }),
          ...(signupVoucher !== undefined && { signupVoucher }),
        },
        { ...run, onResult },
      ),
    ),
  );
  return { registered: end, dispose };
}

const MESSAGES: ButtonMessages = {
  submit: (event, from) => readMessage(REGISTER_BUTTON_SUBMIT, event, from),
  result: (event, from) => readMessage(REGISTER_BUTTON_RESULT, event, from),
};
