import type { TransactionFate } from 'latchkey';

/** What became of a transaction, in words. */
export interface FateWords {
  /** In one to three words. */
  label: string;
  /** What happened, and what the user does next. */
  sentence: string;
}

const WORDS: Readonly<Record<TransactionFate, FateWords>> = {
  executed: { label: 'Done', sentence: 'The chain carried it out.' },
  sent: { label: 'On its way', sentence: 'The chain has it. Do not send it again.' },
  failed: { label: 'Failed', sentence: 'The chain carried it out and it failed. Only its fee is spent.' },
  refused: { label: 'Refused', sentence: 'The chain did not take it and never will. You can send it again.' },
  unknown: {
    label: 'Not known yet',
    sentence:
      'It left this device, and no answer came back. It is looked up every few seconds. Do not send it again before it ' +
      'is known.',
  },
  'not-sent': { label: 'Not sent', sentence: 'It never left this device. You can send it again.' },
};

/** The words for a fate. */
export function fateWords(fate: TransactionFate): FateWords {
  return WORDS[fate];
}
