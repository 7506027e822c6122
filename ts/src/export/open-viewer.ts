/** The page's side of the key viewer: opens it above everything, passes its ports on, and takes it away. */
import { LatchkeyError, messageOf } from '../errors/export.js';
import { adoptCss, tokensCss } from '../styles.js';
import { clearClipboardAfter, clearNoClipboard } from './clear-clipboard.js';
import {
  type ClosedBy,
  CONNECT,
  type Connect,
  type FromViewer,
  type ToViewer,
  type ViewerModel,
} from './contract.js';
import { viewerFrame } from './document.js';

const LOAD_LIMIT_MS = 10_000;
/** Its script has run when the document is loaded: it answers at once, or not at all. */
const ANSWER_LIMIT_MS = 3_000;
/** How long it is heard after it was closed. */
const LAST_WORDS_MS = 5_000;

const LAYER_CSS = /* css */ `
:host { all: initial; display: contents; }
.layer {
  position: fixed; inset: 0; width: 100vw; height: 100dvh; max-width: none; max-height: none;
  margin: 0; padding: 0; border: 0; outline: none; overflow: hidden;
  background: none;
}
/* Beside the frame, not around it: no click counts in what an effect is drawn over. */
.scrim { position: absolute; inset: 0; background: var(--lk-scrim); backdrop-filter: blur(6px) saturate(1.1); }
.layer::backdrop { background: none; }
iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; color-scheme: inherit; }
`;

/** A viewer on screen. Every promise rejects with CANCELLED (MODAL_TIMEOUT after its time) when it closes first. */
export interface KeyViewer {
  /** Resolves when the viewer shows its warning. */
  readonly opened: Promise<void>;
  /** Aborts when the viewer has closed. */
  readonly signal: AbortSignal;
  /** Resolves when it has closed, however. */
  readonly closed: Promise<ClosedBy>;
  /** Waits for the person's click on its button. */
  requested(): Promise<void>;
  /** A port for the signer worker to send the key through; the viewer listens at its other end. */
  openKeyPort(): MessagePort;
  /** Waits until the viewer has the key. */
  received(limitMs: number): Promise<void>;
  /** Says what went wrong, with the offer of another try. */
  failed(message: string): void;
  /** Takes it away; what it held is wiped. */
  close(): void;
}

/** Hears that the clipboard is to be cleared after this time, and null when it need not be. */
export type OnCopied = (clearAfterMs: number | null) => void;

/** `signal` takes the viewer away. */
export function openViewer(
  script: URL,
  model: ViewerModel,
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
  const waiting = new Map<FromViewer['type'], () => void>();
  let hasKey = false;
  const send = (message: ToViewer, ports: Transferable[] = []): void => port.postMessage(message, ports);

  /** The next message of this type. */
  function next(type: FromViewer['type'], limitMs?: number): Promise<void> {
    return new Promise((resolve, reject) => {
      if (closing.signal.aborted) return reject(closing.signal.reason);
      const timer =
        limitMs === undefined
          ? undefined
          : setTimeout(() => finish('cancel', unusable('it did not answer')), limitMs);
      closing.signal.addEventListener('abort', () => reject(closing.signal.reason), { once: true });
      waiting.set(type, () => {
        clearTimeout(timer);
        waiting.delete(type);
        resolve();
      });
    });
  }

  function finish(by: ClosedBy, reason: unknown = closedError(by)): void {
    if (closing.signal.aborted) return;
    signal.removeEventListener('abort', onAbort);
    // A click on its copy button may be on its way here still.
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
    if (data.type === 'WALLET_UI_CLOSED') return finish(data.by);
    if (data.type === 'KEY_RECEIVED') hasKey = true;
    waiting.get(data.type)?.();
  };
  const onAbort = (): void => finish('cancel', signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });

  const opened = next('WALLET_UI_OPENED', LOAD_LIMIT_MS);
  let surface: Surface | undefined;
  try {
    surface = drawSurface(viewerFrame(script), model.theme, {
      onLoad: (frame) => {
        frame.focus();
        const connect: Connect = { type: CONNECT, model };
        // An opaque origin has no name to send to. The port says nothing that the page may not know.
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
    opened,
    signal: closing.signal,
    closed: whenClosed,
    requested: () => next('KEY_REQUESTED'),
    openKeyPort() {
      const { port1, port2 } = new MessageChannel();
      send({ type: 'KEY_PORT' }, [port2]);
      return port1;
    },
    // It may have said so before the worker's own answer came.
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

/** A native modal dialog: above every stacking context, the page behind it inert, the focus given back at its end. */
function drawSurface(
  frame: HTMLIFrameElement,
  theme: string,
  { onLoad, onEscape }: { onLoad(frame: HTMLIFrameElement): void; onEscape(): void },
): Surface {
  const host = document.createElement('latchkey-key-viewer');
  host.dataset.latchkeyTheme = theme;
  const shadow = host.attachShadow({ mode: 'open' });
  adoptCss(shadow, tokensCss, LAYER_CSS);
  const layer = document.createElement('dialog');
  layer.className = 'layer';
  // The named dialog is in the frame; this one only lends its place in the top layer.
  layer.setAttribute('role', 'none');
  // The focus waits here until the frame can take it: one that it had before its document came would be lost.
  layer.tabIndex = -1;
  layer.addEventListener('cancel', (event) => {
    event.preventDefault();
    onEscape();
  });
  layer.addEventListener('close', onEscape);
  frame.addEventListener('load', () => onLoad(frame), { once: true });
  const scrim = document.createElement('div');
  scrim.className = 'scrim';
  layer.append(scrim, frame);
  shadow.append(layer);
  document.body.append(host);
  layer.showModal();
  // Not by `autofocus`, which browsers block in a frame of another origin.
  layer.focus();
  return {
    remove() {
      layer.removeEventListener('close', onEscape);
      layer.close();
      host.remove();
    },
  };
}

function closedError(by: ClosedBy): LatchkeyError {
  if (by === 'timeout') return new LatchkeyError('MODAL_TIMEOUT', { values: { seconds: 300 } });
  return new LatchkeyError('CANCELLED');
}

function unusable(reason: string, cause?: unknown): LatchkeyError {
  return new LatchkeyError('EXPORT_NEAR_KEYPAIR_UI_FAILED', { values: { reason }, cause });
}
