/** What the wallet's buttons over a container of the page have in common. */
import type { readMessage, SentByButton } from '../window-messages.js';
import { followRectangle } from './follow-rectangle.js';
import type { WalletFrame } from './wallet-frame.js';

type Sender = Parameters<typeof readMessage>[2];

export interface ButtonOptions {
  readonly container: Element;
  readonly onSubmit?: (() => void) | undefined;
  readonly onFailure?: ((failure: ButtonFailure) => void) | undefined;
}

/** A click of a button that did not succeed. */
export interface ButtonFailure {
  readonly error: string;
  readonly cancelled: boolean;
  /** Of a transaction button, once any transaction was sent: the id and the fate of each. */
  readonly results?: readonly SentByButton[];
}

/** How a button's messages are read; undefined for any other message. */
export interface ButtonMessages {
  submit(event: MessageEvent<unknown>, from: Sender): unknown;
  result(
    event: MessageEvent<unknown>,
    from: Sender,
  ): { readonly payload: { readonly ok: boolean } & Partial<ButtonFailure> } | undefined;
}

/**
 * Asks for a button, lays the frame over the container once the wallet draws it, and reports each click, until the request
 * has ended or the button is disposed.
 */
export function mountButton<T>(
  frame: WalletFrame,
  { container, onSubmit, onFailure }: ButtonOptions,
  messages: ButtonMessages,
  ask: (button: { readonly signal: AbortSignal; readonly onResult: () => void }) => Promise<T>,
): { readonly end: Promise<T>; dispose(): void } {
  const ending = new AbortController();
  const { signal } = ending;
  const onMessage = (event: MessageEvent<unknown>): void => {
    const from = frame.sender();
    if (messages.submit(event, from)) onSubmit?.();
    const told = messages.result(event, from)?.payload;
    if (!told || told.ok) return;
    const { error = '', cancelled = false, results } = told;
    onFailure?.({ error, cancelled, ...(results && { results }) });
  };
  addEventListener('message', onMessage, { signal });

  let unfollow: (() => void) | undefined;
  const onResult = (): void => {
    if (!signal.aborted) unfollow = followRectangle(container, (at) => frame.overlay.anchor(at));
  };
  // At once: what replaces this button may have its place before the wallet has ended this one.
  const lift = (): void => {
    unfollow?.();
    frame.overlay.anchor(null);
  };
  signal.addEventListener('abort', lift, { once: true });
  const end = ask({ signal, onResult }).finally(() => ending.abort());
  // A caller that ignores the outcome should cause no unhandled rejection.
  end.catch(() => undefined);
  return { end, dispose: () => ending.abort() };
}
