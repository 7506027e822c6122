/**
 * The wallet's own window, at top level: for ceremonies where a browser allows none in a frame (Safari), and for
 * clicks that a host could steal unseen in a frame. The user opens it by a click in the frame; it does one thing,
 * reports to the frame, and is closed. Its messages go from window to window, within the wallet's origin.
 */

import { DEFAULT_CONFIRMATION } from '../../config.js';
import type { Confirmer, ConfirmModel, Decision } from '../../confirm/port.js';
import { cancelledBy, LatchkeyError, POPUP_UNAVAILABLE } from '../../errors/frame.js';
import { clearClipboardAfter } from '../../export/clear-clipboard.js';
import type { ShowKey } from '../../flows/context.js';
import type { Theme } from '../../types.js';
import type { Credentials } from '../../webauthn/credentials.js';
import type { AssertedPasskey, CreatedPasskey } from '../../webauthn/read-credential.js';
import { createTurns } from '../../workers/in-turn.js';
import {
  type PopupNews,
  PopupNewsSchema,
  PopupReadySchema,
  type PopupRequest,
  type PopupResult,
  PopupResultSchema,
  type PopupTheme,
} from '../popup-messages.js';
import { credentialOf, errorOf, isCreated, newRequestId, readFrom } from '../webauthn-messages.js';
import { focusBack } from './focus-back.js';

const FEATURES = 'popup,width=480,height=720';
const CLOSED_POLL_MS = 250;
/** Longest wait for the window's first message. */
const READY_LIMIT_MS = 15_000;

/**
 * 'needed': a window is to be opened. 'blocked': none appeared; the user may allow it and click again. 'open': it
 * is there, perhaps behind another one.
 */
export type PopupState = 'needed' | 'blocked' | 'open';

/** What the frame shows while it has a window, or needs one. */
export interface PopupScreen {
  /**
   * Draws the state with a button that calls `open` within its click, and one to cancel; where a window is there,
   * `open` brings it to the front. Called again when the state changes. `signal` aborts when the window is done.
   */
  show(
    shown: { readonly state: PopupState; readonly theme: Theme },
    actions: { readonly open: () => void; readonly cancel: () => void },
    signal: AbortSignal,
  ): void;
}

export interface PopupOptions {
  readonly screen: PopupScreen;
  /** Another way follows: where no window appears, the try ends immediately instead of offering another click. */
  readonly hasAnotherWay?: boolean;
  /** The theme of a ceremony or a scan; confirmations and keys have their own. */
  readonly theme?: () => Promise<Theme>;
  /** The wallet page's address; default: this document's. */
  readonly address?: string;
}

type Asked = PopupRequest extends infer R
  ? R extends PopupRequest
    ? Omit<R, 'type' | 'requestId' | 'theme' | 'language'>
    : never
  : never;

/** Passkey ceremonies in such a window. Rejects with POPUP_UNAVAILABLE where none appears, or it is cut off. */
export function popupCredentials(options: PopupOptions): Credentials {
  const ceremony = async (asked: Asked, signal: AbortSignal): Promise<CreatedPasskey | AssertedPasskey> => {
    const { payload } = await inPopup(asked, options, signal);
    if (payload.ok && !('credential' in payload)) throw new LatchkeyError(POPUP_UNAVAILABLE);
    return credentialOf(payload);
  };
  return {
    async create(publicKey, signal) {
      const made = await ceremony({ kind: 'create', publicKey } as Asked, signal);
      if (!isCreated(made)) throw new LatchkeyError(POPUP_UNAVAILABLE);
      return made;
    },
    async get(publicKey, signal) {
      const asserted = await ceremony({ kind: 'get', publicKey } as Asked, signal);
      if (isCreated(asserted)) throw new LatchkeyError(POPUP_UNAVAILABLE);
      return asserted;
    },
  };
}

/** Confirmations in such a window. */
export function popupConfirmer(options: PopupOptions): Confirmer {
  return {
    async show(model: ConfirmModel, signal: AbortSignal): Promise<Decision> {
      if (signal.aborted) return 'cancel';
      try {
        const { payload } = await inPopup({ kind: 'confirm', model }, options, signal);
        return payload.ok && 'decision' in payload ? payload.decision : 'cancel';
      } catch (error) {
        if (signal.aborted || (error instanceof LatchkeyError && error.code === 'CANCELLED')) return 'cancel';
        throw error;
      }
    },
  };
}

/** A scan of a linking code in such a window. */
export async function scanInPopup(options: PopupOptions, signal: AbortSignal): Promise<string> {
  const { payload } = await inPopup({ kind: 'scan' }, options, signal);
  if (!payload.ok) throw errorOf(payload.error);
  if (!('scanned' in payload)) throw new LatchkeyError(POPUP_UNAVAILABLE);
  return payload.scanned;
}

/** The key viewer in such a window. */
export function popupKeyViewer(options: PopupOptions): ShowKey {
  return async (key, emit, signal) => {
    let hasKey = false;
    let clearAt: number | undefined;
    const hear = (news: PopupNews): void => {
      if (news.type === 'WALLET_POPUP_COPIED') {
        clearAt = news.clearAfterMs === null ? undefined : Date.now() + news.clearAfterMs;
        return;
      }
      hasKey ||= news.phase === 'key-delivered';
      emit(news.phase, news.status, news.message);
    };
    try {
      const { payload } = await inPopup({ kind: 'export', key } as Asked, options, signal, hear);
      if (!payload.ok) throw errorOf(payload.error);
      if (!('isShown' in payload)) throw new LatchkeyError(POPUP_UNAVAILABLE);
    } catch (error) {
      // A user who closes the window that shows the key has finished.
      if (!hasKey) throw error;
    } finally {
      // The window that would have cleared the clipboard is gone.
      if (clearAt !== undefined) clearClipboardAfter(clearAt - Date.now(), () => undefined);
    }
  };
}

/** Gives the window that is open another theme. */
let follow: ((theme: Theme) => void) | undefined;

/** The theme has changed: an open window, and the screen about it, take it. */
export function setPopupTheme(theme: Theme): void {
  follow?.(theme);
}

const inTurn = createTurns();

/**
 * Opens the window at the user's click, and resolves with its result; `hear` gets its news before that. The window
 * is closed at the end. Requests take turns: a screen over another one would hide its button.
 */
export function inPopup(...args: Parameters<typeof inOnePopup>): Promise<PopupResult> {
  const [, , signal] = args;
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(cancelledBy(signal)), { once: true });
    inTurn(() => inOnePopup(...args)).then(resolve, reject);
  });
}

async function inOnePopup(
  asked: Asked,
  options: PopupOptions,
  signal: AbortSignal,
  hear?: (news: PopupNews) => void,
): Promise<PopupResult> {
  const { screen, hasAnotherWay = false, address = location.href } = options;
  let theme = await themeOf(asked, options);
  const request = {
    ...asked,
    type: 'WALLET_POPUP_REQUEST',
    requestId: newRequestId(asked.kind),
    theme,
    language: document.documentElement.lang,
  } as PopupRequest;
  const url = new URL(address);
  url.search = '?popup';
  url.hash = request.requestId;
  const over = new AbortController();
  let popup: Window | null = null;
  let isReady = false;
  follow = (next) => {
    theme = next;
    const told: PopupTheme = { type: 'WALLET_POPUP_THEME', requestId: request.requestId, theme };
    if (isReady) popup?.postMessage(told, location.origin);
  };

  const answer = new Promise<PopupResult>((resolve, reject) => {
    const cancel = (): void => reject(cancelledBy(signal));
    const unavailable = (isBlocked: boolean): void =>
      reject(new LatchkeyError(POPUP_UNAVAILABLE, { details: { isBlocked } }));
    const show = (state: PopupState): void => screen.show({ state, theme }, { open, cancel }, over.signal);
    const open = (): void => {
      if (popup && !popup.closed) {
        popup.focus();
        return;
      }
      popup = window.open(url, '_blank', FEATURES);
      if (popup) {
        watch(popup);
        show('open');
      } else if (hasAnotherWay) unavailable(true);
      else show('blocked');
    };
    const watch = (opened: Window): void => {
      const silence = setTimeout(() => unavailable(false), READY_LIMIT_MS);
      const poll = setInterval(() => {
        if (isReady) clearTimeout(silence);
        if (!opened.closed) return;
        // A window that was cut off from this one also counts as closed, and has sent nothing by then.
        if (isReady) cancel();
        else unavailable(false);
      }, CLOSED_POLL_MS);
      over.signal.addEventListener('abort', () => {
        clearTimeout(silence);
        clearInterval(poll);
      });
    };
    const onMessage = (event: MessageEvent<unknown>): void => {
      const ready = readFrom(PopupReadySchema, event, popup, location.origin);
      if (ready?.requestId === request.requestId && !isReady) {
        isReady = true;
        popup?.postMessage(request, location.origin);
        if (theme !== request.theme) follow?.(theme);
        return;
      }
      const news = readFrom(PopupNewsSchema, event, popup, location.origin);
      if (news?.requestId === request.requestId) hear?.(news);
      const result = readFrom(PopupResultSchema, event, popup, location.origin);
      if (result?.payload.requestId === request.requestId) resolve(result);
    };
    if (signal.aborted) cancel();
    addEventListener('message', onMessage, { signal: over.signal });
    signal.addEventListener('abort', cancel, { signal: over.signal });
    if (!signal.aborted) show('needed');
  });
  return answer.finally(async () => {
    follow = undefined;
    over.abort();
    popup?.close();
    if (popup) await focusBack();
  });
}

async function themeOf(asked: Asked, { theme }: PopupOptions): Promise<Theme> {
  if (asked.kind === 'confirm') return asked.model.theme;
  if (asked.kind === 'export') return asked.key.model.theme;
  return (await theme?.()) ?? DEFAULT_CONFIRMATION.theme;
}
