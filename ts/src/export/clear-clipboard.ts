/** Clears the clipboard after a copy of the key. The page does it, because the viewer may be closed by then. */

const FOCUS_POLL_MS = 500;
let waiting: ReturnType<typeof setTimeout> | undefined;
let askForIt: (() => void) | undefined;

/**
 * For a frame: when this document lacks the focus, calls `ask`, so that the host, which has the focus, clears the
 * clipboard. The frame itself may never regain the focus.
 */
export function clearClipboardByHost(ask: () => void): void {
  askForIt = ask;
}

/** Cancels the clearing: the clipboard does not contain our key. */
export function clearNoClipboard(): void {
  clearTimeout(waiting);
}

/**
 * Empties the clipboard after this time, or once the page has the focus after that: browsers require the focus. A
 * later call replaces an earlier one. `done` receives whether the browser allowed it.
 */
export function clearClipboardAfter(delayMs: number, done: (isCleared: boolean) => void): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    if (!document.hasFocus()) return askForIt ? askForIt() : clearClipboardAfter(FOCUS_POLL_MS, done);
    navigator.clipboard.writeText('').then(
      () => done(true),
      () => done(false),
    );
  }, delayMs);
}
