import type { TransactionFate } from 'latchkey';
import { texts } from '../texts/current.js';

/** What became of a transaction, in words. */
export interface FateWords {
  /** In one to three words. */
  label: string;
  /** What happened, and what the user does next. */
  sentence: string;
}

/** The words for a fate. */
export function fateWords(fate: TransactionFate): FateWords {
  return texts().fate[fate];
}
