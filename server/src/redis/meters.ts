/** Spend meters in Redis: all relays of an installation count on them. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { MeterFor } from '../relayer/meters.js';
import {
  countOf,
  createCapRefusals,
  DAY_MS,
  SLICES,
  type Slice,
  type Slices,
} from '../relayer/spend-window.js';
import type { Ends } from './ends.js';
import type { RedisLink } from './link.js';
import { type TicketedReservation, UNKEPT_KEY } from './reservations.js';
import { COUNT, RESERVE, SETTLE } from './scripts.js';

/** The part of an amount that a Lua number holds exactly for any cap below 9,000 NEAR. */
const UNIT = 10n ** 12n;

const FieldsSchema = v.array(v.string());
const ReservedSchema = v.tuple([v.number(), v.number(), FieldsSchema]);
const CountedSchema = v.tuple([v.number(), FieldsSchema]);

/** A reservation's place: the meter's name and window, and the reservation's id. */
const TicketSchema = v.tuple([v.literal('meter'), v.string(), v.number(), v.string()]);
type Ticket = v.InferOutput<typeof TicketSchema>;

export interface RedisMeters {
  readonly meterFor: MeterFor;
  /** The reservation of this ticket; null if it is none of a meter. */
  reservation(ticket: string): TicketedReservation | null;
}

export function createRedisMeters(link: RedisLink, ends: Ends): RedisMeters {
  const reservationOf = (ticket: Ticket): TicketedReservation => {
    const [, name, windowMs, id] = ticket;
    const text = JSON.stringify(ticket);
    const run = (yocto: bigint, onlyUnkept: boolean) =>
      link.run(SETTLE, keysOf(name, id), [
        windowMs / SLICES,
        SLICES,
        ...inParts(yocto),
        text,
        Number(onlyUnkept),
      ]);
    const settle = (yocto: bigint) => ends.run(id, () => run(yocto, false));
    return {
      tickets: [text],
      commit: settle,
      release: () => settle(0n),
      endUnkept: async () => (await run(0n, true)) === 1,
    };
  };

  return {
    reservation(text) {
      const ticket = v.safeParse(TicketSchema, JSON.parse(text));
      return ticket.success ? reservationOf(ticket.output) : null;
    },

    meterFor(name, cap) {
      const { capYocto, windowMs = DAY_MS, alwaysAdmitsOne = false } = cap;
      const refusals = createCapRefusals(cap);
      const window = [windowMs / SLICES, SLICES];
      return {
        async reserve(yocto) {
          const id = randomUUID();
          const reservation = reservationOf(['meter', name, windowMs, id]);
          const capParts = capYocto === null ? ['', ''] : inParts(capYocto);
          const args = [...window, ...inParts(yocto), ...capParts, Number(alwaysAdmitsOne)];
          const answer = await link
            .run(RESERVE, keysOf(name, id), [...args, ...reservation.tickets])
            .catch((error: unknown) => {
              // Redis may have reserved it anyway.
              void reservation.release();
              throw error;
            });
          const [isReserved, nowMs, fields] = v.parse(ReservedSchema, answer);
          if (isReserved === 0) {
            throw refusals.refuse({
              slices: slicesIn(fields),
              nowMs,
              neededYocto: yocto,
              capYocto: capYocto ?? 0n,
            });
          }
          refusals.admitted();
          return reservation;
        },

        async count() {
          const [, fields] = v.parse(CountedSchema, await link.run(COUNT, [meterKey(name)], window));
          return countOf(slicesIn(fields));
        },
      };
    },
  };
}

const meterKey = (name: string) => `meter:${name}`;
const keysOf = (name: string, id: string) => [meterKey(name), `reservation:${id}`, UNKEPT_KEY];

function inParts(yocto: bigint): [string, string] {
  return [String(yocto / UNIT), String(yocto % UNIT)];
}

/** The slices of a meter's fields: `s` and `t` are the parts of the sum, `r` and `u` those of what is reserved. */
function slicesIn(fields: readonly string[]): Slices {
  const slices = new Map<number, Slice>();
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [field = '', amount = '0'] = [fields[index], fields[index + 1]];
    const [kind, number] = [field.slice(0, 1), Number(field.slice(1))];
    const { yocto, reservedYocto } = slices.get(number) ?? { yocto: 0n, reservedYocto: 0n };
    const part = BigInt(amount) * (kind === 's' || kind === 'r' ? UNIT : 1n);
    const isReserved = kind === 'r' || kind === 'u';
    slices.set(number, {
      yocto: isReserved ? yocto : yocto + part,
      reservedYocto: isReserved ? reservedYocto + part : reservedYocto,
    });
  }
  return new Map([...slices].sort(([a], [b]) => a - b));
}
