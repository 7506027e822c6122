/** The texts of app keys. */
import { addTexts } from './latchkey-error.js';

export * from './index.js';

const TEXTS = {
  APP_KEY_MISSING:
    'This device has no app key of {account} for {receiver}. Make one with addAppKey, or sign with the passkey.',
  APP_KEY_NOT_FOR_THIS:
    'The app key of {account} does not permit calling {method} of {receiver}. It permits {allowed}. ' +
    'Make one that does, or sign with the passkey.',
  APP_KEY_GONE:
    'The app key of {account} for {receiver} is no longer on the account: it was revoked. Make a new one.',
  APP_KEY_EXPIRED:
    'The app key of {account} for {receiver} ended at {end}. This wallet no longer signs with it. Make a new one with ' +
    'addAppKey, or sign with the passkey.',
  APP_KEY_ALLOWANCE:
    'The allowance of the app key {publicKey} does not cover this call. Revoke it and make a new one.',
  APP_KEY_UNKNOWN: '{publicKey} is not an app key of {account}.',
} as const;

export type AppKeyTexts = typeof TEXTS;

addTexts(TEXTS);
