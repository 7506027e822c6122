import type { TransactionInput } from 'latchkey';
import { parseNear } from 'latchkey-react';
import type { SentThing } from './sent-rows.js';

/** One transfer as typed. */
export interface BatchRow {
  /** Identifies the row while others are added and removed. */
  key: number;
  recipient: string;
  /** NEAR, as a person writes it. */
  near: string;
}

export const MAX_ROWS = 5;

/** True for typed text that is not a sendable amount. */
export function isBadAmount(near: string): boolean {
  return near.trim() !== '' && (parseNear(near) ?? '0') === '0';
}

/** One transaction per row; undefined while a row is incomplete. */
export function transfersOf(rows: readonly BatchRow[]): TransactionInput[] | undefined {
  const transfers = rows.flatMap(({ recipient, near }): TransactionInput[] => {
    const amount = parseNear(near);
    const receiverId = recipient.trim();
    if (receiverId === '' || amount === undefined || amount === '0') return [];
    return [{ receiverId, actions: [{ type: 'Transfer', amount }] }];
  });
  return transfers.length === rows.length ? transfers : undefined;
}

/** Each transfer in the user's words. */
export const thingsOf = (rows: readonly BatchRow[]): SentThing[] =>
  rows.map(({ recipient, near }) => ({ what: `${near.trim()} NEAR`, recipient: recipient.trim() }));
