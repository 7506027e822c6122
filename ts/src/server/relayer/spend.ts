/**
 * What the relay may spend: a cap over a sliding window, so that whoever finds a way past the other checks empties a
 * day's allowance and not the relayer's account.
 *
 * Money is reserved before anything is signed, at the most it may cost, and what it really cost takes the place of the
 * reservation once the chain has told. A transaction whose outcome is unknown keeps its reservation.
 */
import type { TransactionOutcome } from '../../near/index.js';
import { Refusal } from '../http/refusal.js';
import type { Log } from '../observe/log.js';

/** A sum set aside for one transaction. Only the first `commit` or `release` counts. */
export interface SpendReservation {
  /** The chain has told: this much was spent, in yoctoNEAR. */
  commit(actualYocto: bigint): void | Promise<void>;
  /** The transaction was never sent, or can never be executed. */
  release(): void | Promise<void>;
}

export interface SpendMeter {
  /** Sets this much aside. Throws, or rejects with, a {@link Refusal} `spend_cap` when it would pass the cap. */
  reserve(yocto: bigint): SpendReservation | Promise<SpendReservation>;
}

export interface SpendMeterOptions {
  /** yoctoNEAR that may be spent within the window. Null: no cap. */
  readonly capYocto: bigint | null;
  readonly log: Log;
  /** Default 24 h. */
  readonly windowMs?: number;
  /** Milliseconds that only grow: a clock set forward must not forget a day's spending. Default performance.now. */
  readonly now?: () => number;
  /** Where the count outlives this process. The clock must then be one that goes on without it. */
  readonly kept?: KeptSpend;
}

/** What counts of each part of the window, by the part's number, in yoctoNEAR. */
export interface KeptSpend {
  readonly former: ReadonlyMap<number, bigint>;
  /** Keeps what counts of a part now; 0 forgets it. A payment is not sent before this is kept. */
  write(slice: number, yocto: bigint): void;
}

const DAY_MS = 24 * 3_600_000;
/** Sums are kept for each slice of the window: its memory does not grow with the number of transactions. */
const SLICES = 288;
/** How long a transaction may take to settle, and so to give back what it did not cost. */
const SETTLING_SECONDS = 10;

/** What counts of a part of the window, and how much of that is not settled yet. */
interface Slice {
  yocto: bigint;
  reservedYocto: bigint;
}

/** A meter in this process's memory: a relay that starts anew starts at zero, unless it is kept. */
export function createMemorySpendMeter({
  capYocto,
  log,
  windowMs = DAY_MS,
  now = () => performance.now(),
  kept,
}: SpendMeterOptions): SpendMeter {
  const sliceMs = windowMs / SLICES;
  /** The slices that still count, oldest first, by number. */
  const slices = new Map<number, Slice>();
  let countedYocto = 0n;
  // What was reserved before and never settled counts as spent.
  for (const [number, yocto] of [...(kept?.former ?? [])].sort(([a], [b]) => a - b)) {
    slices.set(number, { yocto, reservedYocto: 0n });
    countedYocto += yocto;
  }
  let isCapped = false;

  const currentSlice = () => Math.floor(now() / sliceMs);

  /** Adds to a slice, unless it has left the window. */
  const add = (number: number, yocto: bigint, reservedYocto: bigint) => {
    if (number < currentSlice() - SLICES) return;
    const slice = slices.get(number) ?? { yocto: 0n, reservedYocto: 0n };
    slices.set(number, slice);
    slice.yocto += yocto;
    slice.reservedYocto += reservedYocto;
    countedYocto += yocto;
    if (slice.yocto === 0n && slice.reservedYocto === 0n) slices.delete(number);
    kept?.write(number, slice.yocto);
  };

  const forgetOld = () => {
    const oldest = currentSlice() - SLICES;
    for (const [number, { yocto }] of slices) {
      if (number >= oldest) return;
      slices.delete(number);
      countedYocto -= yocto;
      kept?.write(number, 0n);
    }
  };

  /** When this much will have become free by the passing of time. */
  const secondsUntilFree = (yocto: bigint): number => {
    let left = yocto;
    for (const [number, slice] of slices) {
      left -= slice.yocto;
      if (left <= 0n) return Math.max(1, Math.ceil(((number + SLICES + 1) * sliceMs - now()) / 1000));
    }
    return Math.ceil(windowMs / 1000);
  };

  const refusal = (yocto: bigint, cap: bigint): Refusal => {
    const reservedYocto = [...slices.values()].reduce((sum, slice) => sum + slice.reservedYocto, 0n);
    const isSettling = countedYocto - reservedYocto + yocto <= cap;
    const retryAfterSeconds = isSettling ? SETTLING_SECONDS : secondsUntilFree(countedYocto + yocto - cap);
    if (!isCapped) {
      log.error('spend_cap', {
        capYocto: String(cap),
        countedYocto: String(countedYocto),
        neededYocto: String(yocto),
        retryAfterSeconds,
      });
    }
    isCapped = true;
    const message = `This relay has spent what its operator allows for now. Nothing was sent; try again in ${inWords(retryAfterSeconds)}.`;
    return new Refusal('spend_cap', message, { retryAfterSeconds });
  };

  return {
    reserve(yocto) {
      forgetOld();
      if (capYocto !== null && countedYocto + yocto > capYocto) throw refusal(yocto, capYocto);
      isCapped = false;
      const number = currentSlice();
      add(number, yocto, yocto);
      let isOpen = true;
      const settle = (actualYocto: bigint) => {
        if (!isOpen) return;
        isOpen = false;
        forgetOld();
        add(number, -yocto, -yocto);
        add(currentSlice(), actualYocto, 0n);
      };
      return { commit: settle, release: () => settle(0n) };
    },
  };
}

/** A meter over several: what is spent counts on each of them, and each must allow it. */
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
      return {
        async commit(actualYocto) {
          await Promise.all(reservations.map((reservation) => reservation.commit(actualYocto)));
        },
        async release() {
          await Promise.all(reservations.map((reservation) => reservation.release()));
        },
      };
    },
  };
}

/** yoctoNEAR for a unit of gas: gas is bought at no less (protocol 85 on), and what is not burnt comes back. */
const GAS_PURCHASE_PRICE_YOCTO = 10n ** 9n;
/** What a transaction of the largest body buys beside the gas attached to its call. */
const TRANSACTION_OVERHEAD_GAS = 5n * 10n ** 12n;

/** The most that a transaction with this gas attached takes from the relayer for gas, in yoctoNEAR. */
export function gasReserveYocto(gas: bigint): bigint {
  return (gas + TRANSACTION_OVERHEAD_GAS) * GAS_PURCHASE_PRICE_YOCTO;
}

/** What the chain kept for gas and account creation, in yoctoNEAR; undefined when the node did not tell it whole. */
export function burntYocto({
  transaction_outcome: transaction,
  receipts_outcome: receipts,
}: TransactionOutcome): bigint | undefined {
  if (!transaction || !receipts) return undefined;
  const outcomes = [transaction, ...receipts];
  const told = new Set(outcomes.map(({ id }) => id));
  // What a receipt burnt that is left out would count for nothing.
  if (outcomes.some(({ outcome }) => outcome.receipt_ids.some((id) => !told.has(id)))) return undefined;
  return outcomes.reduce((sum, { outcome }) => sum + BigInt(outcome.tokens_burnt), 0n);
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3600)} hours`;
}
