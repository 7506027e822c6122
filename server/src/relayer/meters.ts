/** Spend meters by name: one for the relay, one for all delegates, one for all app keys, and one for each client, network, sender and app key's account. */
import * as v from 'valibot';
import type { Log } from '../observe/log.js';
import type { ReservationOf } from './job-text.js';
import type { RelayRecord } from './record.js';
import {
  type CapOptions,
  type CountingSpendMeter,
  createMemorySpendMeter,
  type KeptReservations,
  keptSpendIn,
  type MemorySpendMeter,
  type OpenReservation,
  type SpendMeter,
} from './spend.js';
import { createUnkept, type Unkept } from './unkept.js';

/** The meter of a name; the same name is the same meter. */
export type MeterFor = (name: string, options: CapOptions) => CountingSpendMeter;

/** How often meters without spending in the window are dropped. */
const SWEEP_MS = 300_000;
/** A party at its cap needs no attention from the operator. */
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** What the record keeps under other names than those of meters. */
const METERS = /^((?:spend|delegates|app-keys|share:.+|sender:.+|app-key:.+)):(\d+)$/;

/** The entry of an open reservation: this and its ticket. */
const RESERVED = 'reserved:';
/** How the tickets of a meter begin. */
const ticketsOf = (name: string): string => `${JSON.stringify(['meter', name]).slice(0, -1)},`;
/** A reservation's place: the meter's name, and the reservation's id. */
const TicketSchema = v.tuple([v.literal('meter'), v.string(), v.string()]);

/** The meter of one party, over 24 hours, so that none uses up the cap of all. `who`: as the refusal names it. */
export function meterOfOne(meterFor: MeterFor, name: string, who: string, capYocto: bigint): SpendMeter {
  const sentence = `This relay has paid as much as it may for ${who} for now.`;
  return meterFor(name, { capYocto, log: SILENT, refusal: { code: 'spend_cap', sentence } });
}

export interface LocalMeters {
  readonly meterFor: MeterFor;
  /** The reservation of a ticket of one of these meters. */
  readonly reservationOf: ReservationOf;
}

/**
 * The meters of one relay, whose counts the record keeps. Their number is bounded by the caps: each one has cost money within
 * 24 hours, or is dropped.
 */
export function createLocalMeters(record: RelayRecord): MeterFor {
  return openLocalMeters(record).meterFor;
}

/** The same, whose open reservations a later process ends by their tickets. */
export function openLocalMeters(record: RelayRecord, unkept: Unkept = createUnkept(record)): LocalMeters {
  const meters = new Map<string, MemorySpendMeter>();
  let sweptAt = record.now();

  const create = (name: string, options: CapOptions) =>
    createMemorySpendMeter({
      ...options,
      now: record.now,
      kept: { ...keptSpendIn(record, `${name}:`), reservations: keptReservationsOf(name, record, unkept) },
    });
  const createFormer = (name: string) => create(name, { capYocto: null, log: SILENT });

  /** Those of an earlier process that no caller has named yet: their entries leave the record when their day is over. */
  const former = new Map<string, MemorySpendMeter>();
  for (const key of record.entries('').keys()) {
    const name = METERS.exec(key)?.[1];
    if (name !== undefined && !former.has(name)) former.set(name, createFormer(name));
  }

  const sweep = () => {
    if (record.now() - sweptAt < SWEEP_MS) return;
    sweptAt = record.now();
    for (const all of [meters, former]) {
      for (const [name, meter] of all) if (meter.count().countedYocto === 0n) all.delete(name);
    }
  };

  return {
    meterFor(name, options) {
      sweep();
      const meter = meters.get(name) ?? create(name, options);
      former.delete(name);
      meters.set(name, meter);
      return meter;
    },

    reservationOf(ticket) {
      const name = nameIn(ticket);
      if (name === null) return null;
      // By then the relay may have named the meter, or dropped it.
      const settle = (yocto: bigint) => {
        const known = meters.get(name) ?? former.get(name);
        const meter = known ?? createFormer(name);
        if (!known) former.set(name, meter);
        meter.settle(ticket, yocto);
      };
      return { tickets: [ticket], commit: settle, release: () => settle(0n) };
    },
  };
}

function keptReservationsOf(name: string, record: RelayRecord, unkept: Unkept): KeptReservations {
  const former = new Map<string, OpenReservation>();
  const start = ticketsOf(name);
  for (const [rest, text] of record.entries(RESERVED + start)) {
    const [slice = '', yocto = '0'] = text.split(' ');
    former.set(start + rest, { slice: Number(slice), yocto: BigInt(yocto) });
  }
  return {
    former,
    begin({ slice, yocto }) {
      const ticket = JSON.stringify(['meter', name, crypto.randomUUID()]);
      record.write(RESERVED + ticket, `${slice} ${yocto}`);
      unkept.add(ticket);
      return ticket;
    },
    end(ticket) {
      record.write(RESERVED + ticket, null);
      unkept.delete(ticket);
    },
  };
}

/** The name of the ticket's meter; null if it is no ticket of a meter. */
function nameIn(text: string): string | null {
  const { success, output } = v.safeParse(TicketSchema, JSON.parse(text));
  return success ? output[1] : null;
}
