/**
 * A viewer's side of its session with the page: one open request at a time, a time limit, and one end. The page hears how
 * long the limit was that passed.
 */
import type { ClosedBy, FromViewer, ToViewer } from '../contract.js';

/** The user's time to decide, as in every confirmation. */
export const DECIDE_LIMIT_MS = 5 * 60_000;

export interface Session {
  /** Whether the page has a request without an answer. */
  readonly isWaiting: boolean;
  tell(message: FromViewer): void;
  /** Asks the page for a port. Returns false, and asks nothing, while a request is open and after the end. */
  request(accountId?: string): boolean;
  /** The viewer has what it asked for, and holds it for this long at most. */
  hold(limitMs: number): void;
  /** Ends the session, once. */
  close(by: ClosedBy): void;
}

export interface SessionOptions {
  /** The time until `hold`. */
  readonly limitMs: number;
  /** A port came for the open request. */
  onPort(port: MessagePort): void;
  /** The page could not do what it was asked. */
  onFailed(message: string): void;
  onClipboard?(isCleared: boolean): void;
  /** Wipes what the viewer holds. */
  onClose(): void;
  /** How the session ends when its document goes. Default: 'cancel'. */
  leftBy?(): ClosedBy;
}

/** Starts the session. Tell the page `WALLET_UI_OPENED` once the viewer is drawn. */
export function startSession(page: MessagePort, options: SessionOptions): Session {
  let { limitMs } = options;
  let isWaiting = false;
  let isClosed = false;
  const startLimit = () => setTimeout(() => close('timeout'), limitMs);
  let limit = startLimit();
  const tell = (message: FromViewer): void => page.postMessage(message);

  function close(by: ClosedBy): void {
    if (isClosed) return;
    isClosed = true;
    isWaiting = false;
    clearTimeout(limit);
    options.onClose();
    tell({ type: 'WALLET_UI_CLOSED', by, ...(by === 'timeout' && { limitMs }) });
  }

  page.onmessage = ({ data, ports: [port] }: MessageEvent<ToViewer>) => {
    if (data.type === 'KEY_PORT' && port && isWaiting) options.onPort(port);
    if (data.type === 'CLIPBOARD') options.onClipboard?.(data.isCleared);
    if (data.type !== 'FAILED') return;
    isWaiting = false;
    options.onFailed(data.message);
  };
  addEventListener('pagehide', () => close(options.leftBy?.() ?? 'cancel'));

  return {
    get isWaiting() {
      return isWaiting;
    },
    tell,
    request(accountId) {
      if (isWaiting || isClosed) return false;
      isWaiting = true;
      tell({ type: 'KEY_REQUESTED', ...(accountId !== undefined && { accountId }) });
      return true;
    },
    hold(next) {
      isWaiting = false;
      limitMs = next;
      clearTimeout(limit);
      limit = startLimit();
    },
    close,
  };
}
