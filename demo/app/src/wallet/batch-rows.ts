import type { ActionResult, TransactionInput } from 'latchkey';
import { parseNear } from 'latchkey-react';
import { type TransactionDetails, transactionDetails } from './transaction-details.js';

/** One transfer as it is typed. */
export interface BatchRow {
  /** Stays with the row while others come and go. */
  key: number;
  recipient: string;
  /** NEAR, as a person writes it. */
  near: string;
}

/** What became of one transfer. */
export interface SentRow extends TransactionDetails {
  recipient: string;
  near: string;
  /** In a word. */
  end: string;
}

export const MAX_ROWS = 5;

/** Something is typed, and it is no amount that could be sent. */
export function isBadAmount(near: string): boolean {
  return near.trim() !== '' && (parseNear(near) ?? '0') === '0';
}

/** A transaction for each row; undefined while something is missing. */
export function transfersOf(rows: readonly BatchRow[]): TransactionInput[] | undefined {
  const transfers = rows.flatMap(({ recipient, near }): TransactionInput[] => {
    const amount = parseNear(near);
    const receiverId = recipient.trim();
    if (receiverId === '' || amount === undefined || amount === '0') return [];
    return [{ receiverId, actions: [{ type: 'Transfer', amount }] }];
  });
  return transfers.length === rows.length ? transfers : undefined;
}

/** Each row with what came of its transaction. */
export function sentRows(
  rows: readonly BatchRow[],
  results: readonly ActionResult[],
  explorerUrl: string,
): SentRow[] {
  return results.map((result, index) => ({
    ...transactionDetails(result, explorerUrl),
    recipient: rows[index]?.recipient.trim() ?? '',
    near: rows[index]?.near.trim() ?? '',
    end: result.success ? 'Final' : result.fate === 'not-sent' ? 'Not sent' : 'Failed',
  }));
}
