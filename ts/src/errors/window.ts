/** The texts of a wallet that a page asks in a window. */
import { addTexts } from './latchkey-error.js';

export * from './frame.js';

const TEXTS = {
  WINDOW_BLOCKED:
    'The browser blocked the window of the wallet. Allow pop-ups for this site, or ask within a click of the user.',
  WINDOW_SILENT:
    'The window of the wallet at {origin} was closed before it answered, or this page cuts off the windows that it opens. If ' +
    'this happens each time, this page sends the header Cross-Origin-Opener-Policy: same-origin: it must send ' +
    'same-origin-allow-popups in its place.',
} as const;

export type WindowTexts = typeof TEXTS;

addTexts(TEXTS);
