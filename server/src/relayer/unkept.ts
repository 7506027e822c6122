/**
 * The reservations that pay for no stored transaction, by their tickets, in a relay's record. A process that was killed leaves
 * them there: nothing was sent for them, and no later process signs for them.
 */
import type { RelayRecord } from './record.js';

const PREFIX = 'unkept:';

export interface Unkept {
  /** Nothing is stored for the reservation of this ticket: it is new, or is about to be given back. */
  add(ticket: string): void;
  /** The reservation has ended, or pays for a stored transaction. */
  delete(ticket: string): void;
  /** Those that an earlier process left and that have not ended. */
  former(): readonly string[];
  hasAny(): boolean;
}

export function createUnkept(record: RelayRecord): Unkept {
  const former = new Set(record.entries(PREFIX).keys());
  const all = new Set(former);
  return {
    add(ticket) {
      all.add(ticket);
      record.write(PREFIX + ticket, '');
    },
    delete(ticket) {
      former.delete(ticket);
      if (all.delete(ticket)) record.write(PREFIX + ticket, null);
    },
    former: () => [...former],
    hasAny: () => all.size > 0,
  };
}
