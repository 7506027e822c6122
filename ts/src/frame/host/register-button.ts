/** A register button that the wallet draws over a container of the page, so that the click falls inside the frame. */
import type { EventListener } from '../../events.js';
import type { ConfirmationConfig, RegistrationResult } from '../../types.js';
import { REGISTER_BUTTON_RESULT, REGISTER_BUTTON_SUBMIT, readMessage } from '../window-messages.js';
import { followRectangle } from './follow-rectangle.js';
import { flowOver, type PortRequests } from './port-requests.js';
import type { WalletFrame } from './wallet-frame.js';

export interface RegisterButtonOptions {
  /**
   * The button covers this element and follows it; give the element the size that the button should have. A button
   * inside a modal dialog of the page is out of reach: browsers make everything outside the dialog inert.
   */
  readonly container: Element;
  readonly nearAccountId: string;
  readonly confirmationConfig?: Partial<ConfirmationConfig>;
  readonly onEvent?: EventListener<'registration'>;
  /** The user clicked. */
  readonly onSubmit?: () => void;
  /** The outcome of a click that did not lead to an account; the button can be clicked again. */
  readonly onFailure?: (failure: { readonly error: string; readonly cancelled: boolean }) => void;
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
  { container, nearAccountId, confirmationConfig, onEvent, onSubmit, onFailure }: RegisterButtonOptions,
): RegisterButton {
  const ending = new AbortController();
  const { signal } = ending;
  const onMessage = (event: MessageEvent<unknown>): void => {
    const from = frame.sender();
    if (readMessage(REGISTER_BUTTON_SUBMIT, event, from)) onSubmit?.();
    const told = readMessage(REGISTER_BUTTON_RESULT, event, from)?.payload;
    if (!told || told.ok) return;
    onFailure?.({ error: told.error ?? '', cancelled: told.cancelled ?? false });
  };
  addEventListener('message', onMessage, { signal });

  let unfollow: (() => void) | undefined;
  const registered = flowOver('registration', { signal, ...(onEvent && { onEvent }) }, (run) =>
    askToEnd(
      'PM_MOUNT_REGISTER_BUTTON',
      { nearAccountId, ...(confirmationConfig && { confirmationConfig }) },
      {
        ...run,
        onResult: () => {
          if (!signal.aborted) unfollow = followRectangle(container, (at) => frame.overlay.anchor(at));
        },
      },
    ),
  ).finally(() => {
    unfollow?.();
    frame.overlay.anchor(null);
    ending.abort();
  });
  // A caller that ignores the outcome should cause no unhandled rejection.
  registered.catch(() => undefined);
  return { registered, dispose: () => ending.abort() };
}
