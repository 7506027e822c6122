/** Spend meters in Redis: all relays of an installation count on them. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { MeterFor } from '../relayer/meters.js';
import type { SpendReservation } from '../relayer/spend.js';
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
  reservation(ticket: string): SpendReservation | null;
}

export function createRedisMeters(link: RedisLink, ends: Ends): RedisMeters {
  const reservationOf = (ticket: Ticket): SpendReservation => {
    const [, name, windowMs, id] = ticket;
    const settle = (yocto: bigint) =>
      ends.run(id, () =>
        link.run(
          SETTLE,
          [meterKey(name), reservationKey(id)],
          [windowMs / SLICES, SLICES, ...inParts(yocto)],
        ),
      );
    return { tickets: [JSON.stringify(ticket)], commit: settle, release: () => settle(0n) };
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
          const keys = [meterKey(name), reservationKey(id)];
          const args = [...window, ...inParts(yocto), ...capParts, Number(alwaysAdmitsOne)];
          const answer = await link.run(RESERVE, keys, args).catch((error: unknown) => {
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
const reservationKey = (id: string) => `reservation:${id}`;

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
