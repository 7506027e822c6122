/** The error texts of the facade, before any wallet is loaded. */
import { addTexts } from './latchkey-error.js';

export { LatchkeyError } from './latchkey-error.js';

const TEXTS = {
  NO_BROWSER:
    'The wallet runs in a page of a browser, and this call was made outside of one, such as on a server. Make it in the ' +
    'page: in an effect or an event handler.',
  WALLET_FRAME_ONLY: 'This needs the wallet frame: set iframeWallet.walletOrigin in the configuration.',
} as const;

export type FacadeTexts = typeof TEXTS;

addTexts(TEXTS);
