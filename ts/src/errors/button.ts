/** The texts of the embedded transaction button. */
import { addTexts } from './latchkey-error.js';

export * from './latchkey-error.js';

const TEXTS = {
  BUTTON_NO_HANDLER: 'No external confirm handler provided',
  BUTTON_NOT_READY: 'iframe not ready',
  BUTTON_FAILED: 'The transaction button could not be shown: {reason}',
  BUTTON_CLICK_REQUIRED:
    'The transaction button reported a confirmation without a click of the user. Nothing was signed.',
  UI_DIGEST_FAILED: 'UI digest failed',
  UI_DIGEST_TIMEOUT: 'UI digest timeout',
  UI_DIGEST_SUPERSEDED: 'superseded',
  UI_DIGEST_MISMATCH:
    'The transaction changed after the button showed it. Nothing was signed. Look at it again, then confirm.',
  TRANSACTION_CANCELLED: 'Transaction cancelled by user',
  TRANSACTION_DATA_MISSING: 'Missing required data for transaction',
  TRANSACTION_NOT_EXECUTED: 'Failed to execute transaction',
} as const;

export type ButtonTexts = typeof TEXTS;

addTexts(TEXTS);
