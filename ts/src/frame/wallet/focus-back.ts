import { sleep } from '../../sleep.js';

/**
 * Longest wait for the focus. Firefox returns it about 250 ms after a window is closed; it may also have moved
 * elsewhere.
 */
const FOCUS_LIMIT_MS = 2_000;
const POLL_MS = 20;

/** Waits until this document has the focus: a browser runs no ceremony in a window that is not the active one. */
export async function focusBack(): Promise<void> {
  for (const deadline = Date.now() + FOCUS_LIMIT_MS; !document.hasFocus() && Date.now() < deadline; ) {
    await sleep(POLL_MS);
  }
}
