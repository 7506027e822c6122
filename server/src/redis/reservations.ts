/** Reservations that other relays find by their tickets. */
import type { SpendReservation } from '../relayer/spend.js';

/** The key of the set of reservations that pay for no stored transaction yet, with the time of each. */
export const UNKEPT_KEY = 'unkept';

export interface TicketedReservation extends SpendReservation {
  readonly tickets: readonly [string];
  /** Ends it if it pays for no stored transaction, and says whether it did. Rejects while Redis is away. */
  endUnkept(): Promise<boolean>;
}
