/** What pays once only, in Redis: one relay takes it for all. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { alreadyUsed, hashesOf, KEPT_LONGER_MS, type SingleUses } from '../registration/single-use.js';
import type { Ends } from './ends.js';
import type { RedisLink } from './link.js';
import { type TicketedReservation, UNKEPT_KEY } from './reservations.js';
import { GIVE_BACK, TAKE, USE_UP } from './scripts.js';

/** A reservation's place: the hash of what it uses, and its id. */
const TicketSchema = v.tuple([v.literal('use'), v.string(), v.string()]);
type Ticket = v.InferOutput<typeof TicketSchema>;

export interface RedisUses extends SingleUses {
  /** The reservation of this ticket; null if it is none of a use. */
  reservation(ticket: string): TicketedReservation | null;
}

export function createRedisUses(link: RedisLink, ends: Ends): RedisUses {
  const reservationOf = (ticket: Ticket): TicketedReservation => {
    const [, key, id] = ticket;
    const text = JSON.stringify(ticket);
    const giveBack = (onlyUnkept: boolean) =>
      link.run(GIVE_BACK, keysOf(key), [id, text, Number(onlyUnkept)]);
    return {
      tickets: [text],
      commit: () => ends.run(id, () => link.run(USE_UP, keysOf(key), [id, text])),
      release: () => ends.run(id, () => giveBack(false)),
      endUnkept: async () => (await giveBack(true)) === 1,
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
        const args = [holder, id, expiresAtMs + KEPT_LONGER_MS, ...reservation.tickets];
        const isTaken = await link.run(TAKE, keysOf(key), args).catch((error: unknown) => {
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

const keysOf = (key: string) => [`use:${key}`, UNKEPT_KEY];
