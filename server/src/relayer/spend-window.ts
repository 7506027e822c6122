/** The sliding window of a spend meter: its slices, and when a refused client may try again. */
import { Refusal, type RefusalCode } from '../http/refusal.js';
import type { Log } from '../observe/log.js';

export const DAY_MS = 24 * 3_600_000;
/** The meter sums per slice of the window, so its memory does not grow with the number of transactions. */
export const SLICES = 288;
/** Time for a transaction to settle and return what it did not cost. */
const SETTLING_SECONDS = 10;

/** What a meter counts now, in yoctoNEAR. */
export interface SpendCount {
  /** Spent within the window, or reserved. */
  readonly countedYocto: bigint;
  /** The reserved part. */
  readonly reservedYocto: bigint;
}

/** How a meter refuses. */
export interface CapRefusal {
  readonly code: Extract<RefusalCode, 'spend_cap' | 'address_cap'>;
  /** Names the used-up budget. A sentence on when to try again follows. */
  readonly sentence: string;
}

/** A meter's cap, and how it refuses. */
export interface CapOptions {
  /** yoctoNEAR that may be spent within the window. Null: no cap. */
  readonly capYocto: bigint | null;
  readonly log: Log;
  /** Default: `spend_cap`, of the relay. */
  readonly refusal?: CapRefusal | undefined;
  /** Level of the log line when the cap is reached. Default: error. */
  readonly capLevel?: 'warn' | 'error' | undefined;
  /** Whether a reservation above the cap is admitted while nothing is counted. Default false. */
  readonly alwaysAdmitsOne?: boolean | undefined;
  /** Default 24 h. */
  readonly windowMs?: number | undefined;
}

const OF_THE_RELAY: CapRefusal = {
  code: 'spend_cap',
  sentence: 'This relay has spent what its operator allows for now.',
};

/** The counted amount of a slice, and its unsettled part. */
export interface Slice {
  readonly yocto: bigint;
  readonly reservedYocto: bigint;
}

/** The slices that still count, by number, oldest first. */
export type Slices = ReadonlyMap<number, Slice>;

export function countOf(slices: Slices): SpendCount {
  let [countedYocto, reservedYocto] = [0n, 0n];
  for (const slice of slices.values()) {
    countedYocto += slice.yocto;
    reservedYocto += slice.reservedYocto;
  }
  return { countedYocto, reservedYocto };
}

/** A reservation that does not fit under the cap. */
export interface Excess {
  readonly slices: Slices;
  /** By the clock of the slices. */
  readonly nowMs: number;
  readonly neededYocto: bigint;
  readonly capYocto: bigint;
}

export interface CapRefusals {
  /** The refusal. Logs the first after an admitted reservation. */
  refuse(excess: Excess): Refusal;
  admitted(): void;
}

export function createCapRefusals({
  log,
  refusal: { code, sentence } = OF_THE_RELAY,
  capLevel = 'error',
  windowMs = DAY_MS,
}: CapOptions): CapRefusals {
  let isCapped = false;

  /** Seconds until this much leaves the window. */
  const secondsUntilFree = ({ slices, nowMs }: Excess, yocto: bigint): number => {
    let left = yocto;
    for (const [number, slice] of slices) {
      left -= slice.yocto;
      const endMs = ((number + SLICES + 1) * windowMs) / SLICES;
      if (left <= 0n) return Math.max(1, Math.ceil((endMs - nowMs) / 1000));
    }
    return Math.ceil(windowMs / 1000);
  };

  return {
    admitted() {
      isCapped = false;
    },

    refuse(excess) {
      const { slices, neededYocto, capYocto } = excess;
      const { countedYocto, reservedYocto } = countOf(slices);
      const isSettling = countedYocto - reservedYocto + neededYocto <= capYocto;
      const retryAfterSeconds = isSettling
        ? SETTLING_SECONDS
        : secondsUntilFree(excess, countedYocto + neededYocto - capYocto);
      if (!isCapped) {
        log[capLevel](code, {
          capYocto: String(capYocto),
          countedYocto: String(countedYocto),
          neededYocto: String(neededYocto),
          retryAfterSeconds,
        });
      }
      isCapped = true;
      const message = `${sentence} Nothing was sent; try again in ${inWords(retryAfterSeconds)}.`;
      return new Refusal(code, message, { retryAfterSeconds });
    },
  };
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3600)} hours`;
}
