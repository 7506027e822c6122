/** The texts of bringing an account from another wallet. */
import { addTexts } from './latchkey-error.js';

export * from './index.js';

const TEXTS = {
  ADOPTION_REFUSED:
    'Your other wallet did not add the key to {account}: {reason}. Your account is as it was, and the passkey that was ' +
    'made for it was dropped. Try again, and approve it there.',
  ADOPTED_KEY_MISSING:
    'Your other wallet says that it added the key to {account}, but the account does not have it after a minute. Your ' +
    'account is as it was. Look at the transaction there, then try again: no second passkey is needed.',
} as const;

export type AdoptionTexts = typeof TEXTS;

addTexts(TEXTS);
