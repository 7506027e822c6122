/** What pays for one registration only, in Redis: one relay takes it for all. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { alreadyUsed, hashesOf, KEPT_LONGER_MS, type SingleUses } from '../registration/single-use.js';
import type { SpendReservation } from '../relayer/spend.js';
import type { Ends } from './ends.js';
import type { RedisLink } from './link.js';
import { GIVE_BACK, TAKE, USE_UP } from './scripts.js';

/** A reservation's place: the hash of what it uses, and its id. */
const TicketSchema = v.tuple([v.literal('use'), v.string(), v.string()]);
type Ticket = v.InferOutput<typeof TicketSchema>;

export interface RedisUses extends SingleUses {
  /** The reservation of this ticket; null if it is none of a use. */
  reservation(ticket: string): SpendReservation | null;
}

export function createRedisUses(link: RedisLink, ends: Ends): RedisUses {
  const reservationOf = (ticket: Ticket): SpendReservation => {
    const [, key, id] = ticket;
    return {
      tickets: [JSON.stringify(ticket)],
      commit: () => ends.run(id, () => link.run(USE_UP, [`use:${key}`], [id])),
      release: () => ends.run(id, () => link.run(GIVE_BACK, [`use:${key}`], [id])),
    };
  };

  return {
    reservation(text) {
      const ticket = v.safeParse(TicketSchema, JSON.parse(text));
      return ticket.success ? reservationOf(ticket.output) : null;
    },

    meterOf: ({ id: used, expiresAtMs }, user) => ({
      async reserve() {
        const { key, holder } = await hashesOf(used, user);
        const id = randomUUID();
        const reservation = reservationOf(['use', key, id]);
        const args = [holder, id, expiresAtMs + KEPT_LONGER_MS];
        const isTaken = await link.run(TAKE, [`use:${key}`], args).catch((error: unknown) => {
          // Redis may have taken it anyway.
          void reservation.release();
          throw error;
        });
        if (isTaken === 0) throw alreadyUsed();
        return reservation;
      },
    }),
  };
}
