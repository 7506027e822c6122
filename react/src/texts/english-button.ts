import { englishActions } from './english-actions.js';

/**
 * The texts of the embedded transaction button in English. They cross to its frame as data, so none is a function. A name in
 * braces is filled by what it names.
 */
export const englishButton = {
  send: 'Send Transaction',
  whatSigned: 'What this signs',
  details: 'Transaction details',
  sum: 'You send {amount}',
  oneTransaction: '1 transaction',
  transactions: '{count} transactions',
  signedBy: 'signed by {account}',
  bothSignedBy: '{what}, signed by {account}',
  byPress: 'Press the button to confirm.',
  byHold: 'Click the button to confirm, or hold and release it.',
  scroll: 'Scroll to the end to confirm.',
  to: 'To {account}',
  careful: 'Careful.',
  note: 'Note.',
  wholeText: 'Show all {count} characters',
};

/** All that the frame says. */
export const englishFrame = { ...englishActions, ...englishButton };

export type FrameTexts = typeof englishFrame;
