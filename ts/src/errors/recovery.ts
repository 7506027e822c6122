/** The error texts of recovery. */
import { addTexts } from './latchkey-error.js';

export * from './index.js';

const TEXTS = {
  NO_RECOVERABLE_ACCOUNTS: 'No recoverable accounts found',
  NO_PASSKEY_HERE:
    'This device has no passkey for this wallet. If yours is on a phone or a security key, recover again.',
  AUTHENTICATOR_NOT_FOUND: 'Could not find authenticator for credential',
  PASSKEY_OF_ANOTHER_ACCOUNT: 'Selected passkey belongs to {other}, not {account}',
  PASSKEY_NOT_OF_ACCOUNT: 'Account {account} was not created with this passkey',
  REGISTRY_RECORD_MISMATCH:
    "The registry's record of this passkey does not match the passkey: {reason}. Nothing was stored. " +
    'Try again; if it happens again, use another RPC node.',
} as const;

export type RecoveryTexts = typeof TEXTS;

addTexts(TEXTS);

/** Recovery's texts for a failed passkey prompt, which replace the code's text. */
export const RECOVERY_PROMPT_TEXTS = {
  notAllowed: 'Touch ID was cancelled or timed out.',
  aborted: 'Authentication was cancelled.',
  timedOut: 'Touch ID timed out. Please try again.',
  security: 'Security error. Make sure you are on a secure site (HTTPS).',
  noMatch: 'No matching passkey found for this account.',
} as const;

/** Advice after a recovery that found nothing, appended to the error in the result's message. */
export const RECOVERY_ADVICE = {
  noPasskeyOffered:
    'If no passkey of yours was offered, this browser has none for this site: ' +
    'use the browser, phone or security key that holds it, or link this device from one that is logged in.',
  unknownAccount: 'The registry knows no passkey of {account}. Check how the name is spelled.',
  foreignPasskey: 'The chosen passkey belongs to no account in this registry. Choose another one.',
} as const;
