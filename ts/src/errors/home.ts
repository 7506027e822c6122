/** The error texts of the home page. */
import { addTexts } from './latchkey-error.js';

export * from './index.js';

const TEXTS = {
  ACCOUNT_BUSY:
    'Something that {account} began here has not ended yet, such as a payment whose outcome is not known. Removing it now ' +
    'would lose sight of it. Wait until it has ended, then remove the account.',
  HOME_IN_FRAME: 'The wallet opens its own page only by itself, never inside another page.',
} as const;

export type HomeTexts = typeof TEXTS;

addTexts(TEXTS);
