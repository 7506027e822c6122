/** Spend meters by name: one for the relay, one for all delegates, and one for each client, network and sender. */
import type { Log } from '../observe/log.js';
import type { RelayRecord } from './record.js';
import {
  type CapOptions,
  type CountingSpendMeter,
  createMemorySpendMeter,
  keptSpendIn,
  type MemorySpendMeter,
} from './spend.js';

/** The meter of a name; the same name is the same meter. */
export type MeterFor = (name: string, options: CapOptions) => CountingSpendMeter;

/** How often meters without spending in the window are dropped. */
const SWEEP_MS = 300_000;
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** What the record keeps under other names than those of meters. */
const METERS = /^((?:spend|delegates|share:.+|sender:.+)):(\d+)$/;

/**
 * The meters of one relay, whose counts the record keeps. Their number is bounded by the caps: each one has cost money
 * within 24 hours, or is dropped.
 */
export function createLocalMeters(record: RelayRecord): MeterFor {
  const meters = new Map<string, MemorySpendMeter>();
  let sweptAt = record.now();

  const create = (name: string, options: CapOptions) =>
    createMemorySpendMeter({ ...options, now: record.now, kept: keptSpendIn(record, `${name}:`) });

  /** Those of an earlier process that no caller has named yet: their entries leave the record when their day is over. */
  const former = new Map<string, MemorySpendMeter>();
  for (const key of record.entries('').keys()) {
    const name = METERS.exec(key)?.[1];
    if (name !== undefined && !former.has(name))
      former.set(name, create(name, { capYocto: null, log: SILENT }));
  }

  const sweep = () => {
    if (record.now() - sweptAt < SWEEP_MS) return;
    sweptAt = record.now();
    for (const all of [meters, former]) {
      for (const [name, meter] of all) if (meter.count().countedYocto === 0n) all.delete(name);
    }
  };

  return (name, options) => {
    sweep();
    const meter = meters.get(name) ?? create(name, options);
    former.delete(name);
    meters.set(name, meter);
    return meter;
  };
}
