/**
 * What the relays of one installation share: leases on the relayer's keys, money, limits, and who works on which job.
 *
 * Two stores implement it. The local one ({@link createLocalStore}) serves one relay: in memory, in a file, or in a
 * Durable Object. The other keeps it in Redis, for any number of relays.
 */
import { type RateBuckets, type RateLimit, TokenBuckets } from '../http/rate-buckets.js';
import type { Log } from '../observe/log.js';
import { openSingleUses, type SingleUses } from '../registration/single-use.js';
import { createDurableSpendMeter } from './durable-spend.js';
import type { JobStore } from './jobs.js';
import { createMemoryLeaseStore, type LeaseStore } from './lease-store.js';
import { createLocalJobs, type LocalJobs } from './local-jobs.js';
import { type MeterFor, openLocalMeters } from './meters.js';
import type { RelayRecord } from './record.js';
import type { SpendMeter } from './spend.js';
import { createUnkept } from './unkept.js';

export interface RelayStore {
  readonly leases: LeaseStore;
  /** Null: no other relay and no later process sees this one's jobs. */
  readonly jobs: JobStore | null;
  readonly meterFor: MeterFor;
  /** The same meter, whose reservations outlive the process. In a joint meter it comes last. */
  durable(meter: SpendMeter): SpendMeter;
  readonly uses: SingleUses;
  /** True for the first caller with this name within the time, in milliseconds. */
  isFirstWithin(name: string, ms: number): Promise<boolean>;
  /** The token buckets of a limit. */
  buckets(limit: string, rate: RateLimit): RateBuckets;
  /** Throws a `not_ready` refusal while the store cannot be used. */
  check(): Promise<void>;
}

/** The store of one relay. */
export interface LocalStore extends RelayStore {
  readonly jobs: LocalJobs;
}

/** The store of one relay, which a later process finds in the record. */
export function createLocalStore(record: RelayRecord, log: Log): LocalStore {
  const raisedAt = new Map([...record.entries(ALARM)].map(([name, at]) => [name, Number(at)]));
  const unkept = createUnkept(record);
  const meters = openLocalMeters(record, unkept);
  const uses = openSingleUses(record, unkept);
  const reservationOf = (ticket: string) => meters.reservationOf(ticket) ?? uses.reservationOf(ticket);
  return {
    leases: createMemoryLeaseStore(),
    jobs: createLocalJobs({ record, unkept, reservationOf, log }),
    meterFor: meters.meterFor,
    durable: (meter) => createDurableSpendMeter(meter, record, log),
    uses,
    async isFirstWithin(name, ms) {
      if (record.now() - (raisedAt.get(name) ?? -ms) < ms) return false;
      raisedAt.set(name, record.now());
      record.write(`${ALARM}${name}`, String(record.now()));
      return true;
    },
    buckets: (_, rate) => new TokenBuckets(rate),
    check: () => Promise.resolve(),
  };
}

const ALARM = 'alarm:';
