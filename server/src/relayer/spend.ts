/**
 * Limits the relay's spending: a cap over a sliding window, so that an attacker who passes the other checks drains
 * one day's allowance and not the relayer's account.
 *
 * Money is reserved before signing, at the highest possible cost; the actual cost replaces the reservation once the
 * chain reports it. A transaction with an unknown outcome keeps its reservation.
 */
import type { TransactionOutcome } from 'latchkey/internal/server';
import type { RelayRecord } from './record.js';
import {
  type CapOptions,
  countOf,
  createCapRefusals,
  DAY_MS,
  SLICES,
  type Slice,
  type SpendCount,
} from './spend-window.js';

export type { CapOptions, CapRefusal, SpendCount } from './spend-window.js';

/** A sum set aside for one transaction. Only the first `commit` or `release` counts. */
export interface SpendReservation {
  /** In a store that relays share: the names by which another relay finds this reservation. */
  readonly tickets?: readonly string[];
  /** The chain reported the amount spent, in yoctoNEAR. */
  commit(actualYocto: bigint): void | Promise<void>;
  /** The transaction was never sent, or can never execute. */
  release(): void | Promise<void>;
}

export interface SpendMeter {
  /** Sets this much aside. Throws, or rejects with, a {@link Refusal} `spend_cap` if it would exceed the cap. */
  reserve(yocto: bigint): SpendReservation | Promise<SpendReservation>;
}

/** A meter whose count can be read. */
export interface CountingSpendMeter extends SpendMeter {
  count(): SpendCount | Promise<SpendCount>;
}

/** A meter that answers immediately, because it counts in this process. */
export interface MemorySpendMeter extends CountingSpendMeter {
  reserve(yocto: bigint): SpendReservation;
  count(): SpendCount;
  /** Ends the reservation of this ticket at this cost. Does nothing for one that has ended. */
  settle(ticket: string, actualYocto: bigint): void;
}

export interface SpendMeterOptions extends CapOptions {
  /** Monotonic milliseconds: a clock set forward must not drop a day's spending. Default performance.now. */
  readonly now?: (() => number) | undefined;
  /** Storage in which the count outlives this process. `now` must then be a clock that continues without it. */
  readonly kept?: KeptSpend | undefined;
}

/** The counted yoctoNEAR of each slice of the window, by the slice's number. */
export interface KeptSpend {
  readonly former: ReadonlyMap<number, bigint>;
  /** Stores a slice's count; 0 deletes it. A payment is sent only after this. */
  write(slice: number, yocto: bigint): void;
  /** Its reservations, which a later process ends. Default: those that are open at a process's end count as spent. */
  readonly reservations?: KeptReservations | undefined;
}

/** A reservation that has not ended: how much it counts in which slice. */
export interface OpenReservation {
  readonly slice: number;
  readonly yocto: bigint;
}

/** A meter's open reservations in storage, by their tickets. */
export interface KeptReservations {
  readonly former: ReadonlyMap<string, OpenReservation>;
  /** Stores a new one, and returns its ticket. */
  begin(reservation: OpenReservation): string;
  end(ticket: string): void;
}

/** The part of a record under this prefix, as a meter's count. */
export function keptSpendIn(record: RelayRecord, prefix: string): KeptSpend {
  const stored = [...record.entries(prefix)];
  return {
    former: new Map(stored.map(([slice, yocto]) => [Number(slice), BigInt(yocto)])),
    write: (slice, yocto) => record.write(`${prefix}${slice}`, yocto === 0n ? null : String(yocto)),
  };
}

/** A meter in this process's memory: a restarted relay starts at zero, unless the count is kept. */
export function createMemorySpendMeter({
  now = () => performance.now(),
  kept,
  ...cap
}: SpendMeterOptions): MemorySpendMeter {
  const { capYocto, windowMs = DAY_MS, alwaysAdmitsOne = false } = cap;
  const sliceMs = windowMs / SLICES;
  const refusals = createCapRefusals(cap);
  /** The slices that still count, by number, oldest first. */
  const slices = new Map<number, Slice>();
  let countedYocto = 0n;
  const { reservations } = kept ?? {};
  const open = new Map(reservations?.former);
  for (const [number, yocto] of [...(kept?.former ?? [])].sort(([a], [b]) => a - b)) {
    slices.set(number, { yocto, reservedYocto: 0n });
    countedYocto += yocto;
  }
  for (const { slice: number, yocto } of open.values()) {
    const slice = slices.get(number);
    if (slice) slices.set(number, { ...slice, reservedYocto: slice.reservedYocto + yocto });
  }

  const currentSlice = () => Math.floor(now() / sliceMs);

  /** Adds to a slice, unless it has left the window. */
  const add = (number: number, yocto: bigint, reservedYocto: bigint) => {
    if (number < currentSlice() - SLICES) return;
    const slice = slices.get(number) ?? { yocto: 0n, reservedYocto: 0n };
    const next = { yocto: slice.yocto + yocto, reservedYocto: slice.reservedYocto + reservedYocto };
    slices.set(number, next);
    countedYocto += yocto;
    if (next.yocto === 0n && next.reservedYocto === 0n) slices.delete(number);
    kept?.write(number, next.yocto);
  };

  const forgetOld = () => {
    const oldest = currentSlice() - SLICES;
    for (const [number, { yocto }] of slices) {
      if (number >= oldest) return;
      slices.delete(number);
      countedYocto -= yocto;
      kept?.write(number, 0n);
      for (const [ticket, { slice }] of open) {
        if (slice !== number) continue;
        open.delete(ticket);
        reservations?.end(ticket);
      }
    }
  };

  let begun = 0;
  const begin = (reservation: OpenReservation): string => {
    begun += 1;
    const ticket = reservations?.begin(reservation) ?? String(begun);
    open.set(ticket, reservation);
    return ticket;
  };

  const settle = (ticket: string, actualYocto: bigint) => {
    const reservation = open.get(ticket);
    if (!reservation) return;
    open.delete(ticket);
    reservations?.end(ticket);
    forgetOld();
    add(reservation.slice, -reservation.yocto, -reservation.yocto);
    add(currentSlice(), actualYocto, 0n);
  };

  return {
    count() {
      forgetOld();
      return { countedYocto, reservedYocto: countOf(slices).reservedYocto };
    },

    settle,

    reserve(yocto) {
      forgetOld();
      const isFirst = alwaysAdmitsOne && countedYocto === 0n;
      if (capYocto !== null && countedYocto + yocto > capYocto && !isFirst) {
        throw refusals.refuse({ slices, nowMs: now(), neededYocto: yocto, capYocto });
      }
      refusals.admitted();
      const slice = currentSlice();
      add(slice, yocto, yocto);
      const ticket = begin({ slice, yocto });
      return {
        ...(reservations && { tickets: [ticket] }),
        commit: (actualYocto) => settle(ticket, actualYocto),
        release: () => settle(ticket, 0n),
      };
    },
  };
}

/** Combines several meters: spending counts on each of them, and each must allow it. */
export function createJointSpendMeter(meters: readonly SpendMeter[]): SpendMeter {
  return {
    async reserve(yocto) {
      const reservations: SpendReservation[] = [];
      try {
        for (const meter of meters) reservations.push(await meter.reserve(yocto));
      } catch (error) {
        await Promise.all(reservations.map((reservation) => reservation.release()));
        throw error;
      }
      return jointReservation(
        reservations,
        reservations.flatMap(({ tickets = [] }) => tickets),
      );
    },
  };
}

/** Several reservations as one, which has these tickets. */
export function jointReservation(
  reservations: readonly SpendReservation[],
  tickets: readonly string[],
): SpendReservation {
  return {
    tickets,
    commit: async (yocto) => void (await Promise.all(reservations.map((each) => each.commit(yocto)))),
    release: async () => void (await Promise.all(reservations.map((each) => each.release()))),
  };
}

/** yoctoNEAR per unit of gas: the chain sells gas at no less (protocol 85 on), and refunds what is not burnt. */
const GAS_PURCHASE_PRICE_YOCTO = 10n ** 9n;
/** Gas that a transaction with the largest body buys on top of its call's attached gas. */
const TRANSACTION_OVERHEAD_GAS = 5n * 10n ** 12n;

/** The most that a transaction with this much attached gas takes from the relayer for gas, in yoctoNEAR. */
export function gasReserveYocto(gas: bigint): bigint {
  return (gas + TRANSACTION_OVERHEAD_GAS) * GAS_PURCHASE_PRICE_YOCTO;
}

/**
 * The amount that the chain kept for gas and account creation, in yoctoNEAR; undefined if the outcome is incomplete.
 */
export function burntYocto({
  transaction_outcome: transaction,
  receipts_outcome: receipts,
}: TransactionOutcome): bigint | undefined {
  if (!transaction || !receipts) return undefined;
  const outcomes = [transaction, ...receipts];
  const told = new Set(outcomes.map(({ id }) => id));
  // Without this check, a missing receipt's burnt tokens would count as zero.
  if (outcomes.some(({ outcome }) => outcome.receipt_ids.some((id) => !told.has(id)))) return undefined;
  return outcomes.reduce((sum, { outcome }) => sum + BigInt(outcome.tokens_burnt), 0n);
}
