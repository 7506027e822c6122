/** The page's side of a viewer, of the key or of a phrase: opens it on top of the page, passes its ports on, and removes it. */
import {
  CANCELLED,
  EXPORT_NEAR_KEYPAIR_UI_FAILED,
  LatchkeyError,
  MODAL_TIMEOUT,
  messageOf,
} from '../errors/account.js';
import { adoptCss, coverCss, tokensCss, unzoom } from '../styles.js';
import type { Theme } from '../types.js';
import { clearClipboardAfter, clearNoClipboard } from './clear-clipboard.js';
import { type ClosedBy, CONNECT, type Connect, type FromViewer, type ToViewer } from './contract.js';
import { viewerFrame } from './document.js';

const LOAD_LIMIT_MS = 10_000;
/** The script has run by the time the document is loaded: it answers within this time, or not at all. */
const ANSWER_LIMIT_MS = 3_000;
/** How long the port stays open after closing. */
const LAST_WORDS_MS = 5_000;

const LAYER_CSS = /* css */ `
:host { all: initial; display: contents; }
/* Next to the frame, not around it: clicks do not count in content under an effect. */
.scrim { position: absolute; inset: 0; background: var(--lk-scrim); backdrop-filter: blur(6px) saturate(1.1); }
@media (prefers-reduced-transparency: reduce) { .scrim { backdrop-filter: none; } }
iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; color-scheme: inherit; }
`;

/** A viewer on screen. Every promise rejects with CANCELLED (MODAL_TIMEOUT after its time) if it closes first. */
export interface KeyViewer {
  /** Resolves when the viewer shows its warning. */
  readonly opened: Promise<void>;
  /** Aborts when the viewer has closed. */
  readonly signal: AbortSignal;
  /** Resolves once it has closed, for any reason. */
  readonly closed: Promise<ClosedBy>;
  /** Waits for the user's click on its button. Resolves with the account that the user named there, if asked. */
  requested(): Promise<string | undefined>;
  /** A port through which the signer worker sends the key; the viewer listens at its other end. */
  openKeyPort(): MessagePort;
  /** Waits until the viewer has the key. */
  received(limitMs: number): Promise<void>;
  /** Shows the error and offers another try. */
  failed(message: string): void;
  /** Removes the viewer, which wipes its key. */
  close(): void;
}

/** Receives the time after which to clear the clipboard; null if no clearing is needed. */
export type OnCopied = (clearAfterMs: number | null) => void;

/** Aborting `signal` removes the viewer. */
export function openViewer(
  script: URL,
  model: { readonly theme: Theme },
  look: { readonly texts: { readonly title: string } },
  signal: AbortSignal,
  onCopied?: OnCopied,
): KeyViewer {
  const closing = new AbortController();
  const channel = new MessageChannel();
  const { port1: port } = channel;
  let closed!: (by: ClosedBy) => void;
  const whenClosed = new Promise<ClosedBy>((resolve) => {
    closed = resolve;
  });
  const waiting = new Map<FromViewer['type'], (message: FromViewer) => void>();
  let hasKey = false;
  const send = (message: ToViewer, ports: Transferable[] = []): void => port.postMessage(message, ports);

  /** The next message of this type. */
  function next(type: FromViewer['type'], limitMs?: number): Promise<FromViewer> {
    return new Promise((resolve, reject) => {
      if (closing.signal.aborted) return reject(closing.signal.reason);
      const timer =
        limitMs === undefined
          ? undefined
          : setTimeout(() => finish('cancel', unusable('it did not answer')), limitMs);
      closing.signal.addEventListener('abort', () => reject(closing.signal.reason), { once: true });
      waiting.set(type, (message) => {
        clearTimeout(timer);
        waiting.delete(type);
        resolve(message);
      });
    });
  }

  function finish(by: ClosedBy, reason: unknown = new LatchkeyError(CANCELLED)): void {
    if (closing.signal.aborted) return;
    signal.removeEventListener('abort', onAbort);
    // A click on its copy button may still be on its way here.
    setTimeout(() => port.close(), LAST_WORDS_MS);
    closing.abort(reason);
    surface?.remove();
    closed(by);
  }

  port.onmessage = ({ data }: MessageEvent<FromViewer>) => {
    if (data.type === 'NOT_COPIED') {
      onCopied?.(null);
      return clearNoClipboard();
    }
    if (data.type === 'COPYING' || data.type === 'COPIED') {
      onCopied?.(data.clearAfterMs);
      return clearClipboardAfter(data.clearAfterMs, (isCleared) => {
        if (isCleared) onCopied?.(null);
        send({ type: 'CLIPBOARD', isCleared });
      });
    }
    if (closing.signal.aborted) return;
    if (data.type === 'WALLET_UI_CLOSED') return finish(data.by, closedError(data));
    if (data.type === 'KEY_RECEIVED') hasKey = true;
    waiting.get(data.type)?.(data);
  };
  const onAbort = (): void => finish('cancel', signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });

  const opened = next('WALLET_UI_OPENED', LOAD_LIMIT_MS);
  let surface: Surface | undefined;
  try {
    surface = drawSurface(viewerFrame(script, look.texts.title), model.theme, {
      onLoad: (frame) => {
        frame.focus();
        const connect: Connect<unknown, unknown> = { type: CONNECT, model, look };
        // An opaque origin cannot be a target. The page may know everything in the message.
        frame.contentWindow?.postMessage(connect, '*', [channel.port2]);
        setTimeout(() => {
          if (waiting.has('WALLET_UI_OPENED')) finish('cancel', unusable('its script did not start'));
        }, ANSWER_LIMIT_MS);
      },
      onEscape: () => finish('cancel'),
    });
    if (signal.aborted) onAbort();
  } catch (error) {
    finish('cancel', unusable(messageOf(error), error));
  }
  return {
    opened: opened.then(() => undefined),
    signal: closing.signal,
    closed: whenClosed,
    requested: async () => {
      const message = await next('KEY_REQUESTED');
      return message.type === 'KEY_REQUESTED' ? message.accountId : undefined;
    },
    openKeyPort() {
      const { port1, port2 } = new MessageChannel();
      send({ type: 'KEY_PORT' }, [port2]);
      return port1;
    },
    // The viewer may report it before the worker's own answer arrives.
    received: async (limitMs) => {
      if (!hasKey) await next('KEY_RECEIVED', limitMs);
    },
    failed: (message) => send({ type: 'FAILED', message }),
    close: () => finish('cancel'),
  };
}

interface Surface {
  remove(): void;
}

/** A native modal dialog: above every stacking context, with the page inert and the focus restored at the end. */
function drawSurface(
  frame: HTMLIFrameElement,
  theme: string,
  { onLoad, onEscape }: { onLoad(frame: HTMLIFrameElement): void; onEscape(): void },
): Surface {
  const host = document.createElement('latchkey-key-viewer');
  host.dataset.latchkeyTheme = theme;
  const shadow = host.attachShadow({ mode: 'open' });
  adoptCss(shadow, tokensCss, coverCss, LAYER_CSS);
  const layer = document.createElement('dialog');
  layer.className = 'cover';
  // The named dialog is inside the frame; this one only provides the top layer.
  layer.setAttribute('role', 'none');
  // Holds the focus until the frame can take it: a frame focused before its document loads would lose it.
  layer.tabIndex = -1;
  layer.addEventListener('cancel', (event) => {
    event.preventDefault();
    onEscape();
  });
  layer.addEventListener('close', onEscape);
  frame.addEventListener('load', () => onLoad(frame), { once: true });
  const scrim = document.createElement('div');
  scrim.className = 'scrim';
  const stage = document.createElement('div');
  stage.className = 'cover-stage';
  stage.append(scrim, frame);
  layer.append(stage);
  shadow.append(layer);
  document.body.append(host);
  unzoom(layer, host);
  layer.showModal();
  // Not `autofocus`, which browsers block in a cross-origin frame.
  layer.focus();
  return {
    remove() {
      layer.removeEventListener('close', onEscape);
      layer.close();
      host.remove();
    },
  };
}

function closedError({ limitMs }: Extract<FromViewer, { type: 'WALLET_UI_CLOSED' }>): LatchkeyError {
  if (limitMs !== undefined) return new LatchkeyError(MODAL_TIMEOUT, { values: { seconds: limitMs / 1000 } });
  return new LatchkeyError(CANCELLED);
}

function unusable(reason: string, cause?: unknown): LatchkeyError {
  return new LatchkeyError(EXPORT_NEAR_KEYPAIR_UI_FAILED, { values: { reason }, cause });
}
