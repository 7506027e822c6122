/** The clipboard after a copy of the key. The page clears it, because the viewer may be closed by then. */

const FOCUS_POLL_MS = 500;
let waiting: ReturnType<typeof setTimeout> | undefined;
let askForIt: (() => void) | undefined;

/**
 * In a frame: whoever has the focus when this document has not is the host around it, and clears the clipboard when it
 * is asked. The frame itself may never have the focus again.
 */
export function clearClipboardByHost(ask: () => void): void {
  askForIt = ask;
}

/** There is nothing of ours to clear. */
export function clearNoClipboard(): void {
  clearTimeout(waiting);
}

/**
 * Empties the clipboard after this time, or as soon after it as the page has the focus: no browser lets another page
 * do it. A later call replaces an earlier one. `done` hears whether the browser let us.
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
