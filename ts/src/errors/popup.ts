/** The error texts of a ceremony outside the wallet's frame. */
import { addTexts } from './latchkey-error.js';

export * from './latchkey-error.js';

const TEXTS = {
  POPUP_UNAVAILABLE:
    'The wallet could not open its own window. Allow pop-ups for this site, then try again. If a window did open, ' +
    'this site cuts it off: it must send the header Cross-Origin-Opener-Policy: same-origin-allow-popups instead ' +
    'of same-origin.',
  WEBAUTHN_BRIDGE_TIMEOUT: 'WebAuthn bridge timeout',
} as const;

export type PopupTexts = typeof TEXTS;

addTexts(TEXTS);

/** Shown in the wallet's own window when no page has asked it anything. */
export const POPUP_LOST_TEXT =
  'This window has lost the page that opened it. Close it and try again there. If this happens each time, that page ' +
  'must send the header Cross-Origin-Opener-Policy: same-origin-allow-popups instead of same-origin.';
