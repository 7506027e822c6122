import type { ActionResult } from 'latchkey';
import { type TransactionDetails, transactionDetails } from './transaction-details.js';

/** A transaction in the user's words. */
export interface SentThing {
  /** Such as `0.001 NEAR`. */
  readonly what: string;
  /** The account that gets it. */
  readonly recipient: string;
}

/** The outcome of one transaction. */
export interface SentRow extends TransactionDetails, SentThing {}

/** Each thing with the outcome of its transaction. */
export function sentRows(
  things: readonly SentThing[],
  results: readonly ActionResult[],
  explorerUrl: string,
): SentRow[] {
  return results.map((result, index) => ({
    ...transactionDetails(result, explorerUrl),
    what: things[index]?.what ?? '',
    recipient: things[index]?.recipient ?? '',
  }));
}
