/**
 * A part of the day's budget for each client address and each network, so that no address spends the relay's day.
 *
 * A share counts what the relay reserved and spent for a client, by the rules of the spend cap. Deleting an account
 * afterwards returns nothing to it.
 */
import { isPrivate, networkOf } from '../http/client-address.js';
import type { Log } from '../observe/log.js';
import type { RelayRecord } from './record.js';
import {
  type CountingSpendMeter,
  createJointSpendMeter,
  createMemorySpendMeter,
  keptSpendIn,
  type SpendMeter,
} from './spend.js';

export interface SharesOptions {
  /** yoctoNEAR within 24 hours for one address: an IPv4 address or an IPv6 /64. */
  readonly addressYocto: bigint;
  /** yoctoNEAR within 24 hours for one network: an IPv4 /24 or an IPv6 /48. */
  readonly networkYocto: bigint;
  readonly record: RelayRecord;
  readonly log: Log;
}

/** The meter of the client with this address, as `ClientAddress` writes it. */
export type Shares = (address: string) => SpendMeter;

const PROXY_HINT =
  'The address is private. If a proxy is in front of the relay, count it in TRUSTED_PROXY_HOPS.';
/** How often clients without spending in the window are dropped. */
const SWEEP_MS = 300_000;

export function createShares({ addressYocto, networkYocto, record, log }: SharesOptions): Shares {
  const ofNetwork = createMeters('network', networkYocto, record, log);
  const ofAddress = createMeters('address', addressYocto, record, log);
  return (address) => ({
    reserve: (yocto) =>
      createJointSpendMeter([ofNetwork(networkOf(address)), ofAddress(address)]).reserve(yocto),
  });
}

/** A meter for each key. Their number is bounded by the cap of all: each one has cost money within 24 hours. */
function createMeters(
  whose: 'address' | 'network',
  capYocto: bigint,
  record: RelayRecord,
  log: Log,
): (key: string) => SpendMeter {
  const prefix = `share:${whose}:`;
  const meters = new Map<string, CountingSpendMeter>();
  const sentence = `This relay has paid as much as it may for new accounts from your ${whose} for now.`;
  let sweptAt = record.now();

  const create = (key: string) =>
    createMemorySpendMeter({
      capYocto,
      log: {
        ...log,
        warn: (event, fields) =>
          log.warn(event, { ...fields, scope: whose, ...(isPrivate(key) && { hint: PROXY_HINT }) }),
      },
      capLevel: 'warn',
      now: record.now,
      kept: keptSpendIn(record, `${prefix}${key}:`),
      alwaysAdmitsOne: true,
      refusal: { code: 'address_cap', sentence },
    });

  const sweep = () => {
    if (record.now() - sweptAt < SWEEP_MS) return;
    sweptAt = record.now();
    for (const [key, meter] of meters) if (meter.count().countedYocto === 0n) meters.delete(key);
  };

  // Former clients: their entries leave the record when they leave the window.
  for (const entry of record.entries(prefix).keys()) {
    const key = entry.slice(0, entry.lastIndexOf(':'));
    if (!meters.has(key)) meters.set(key, create(key));
  }

  return (key) => {
    sweep();
    const meter = meters.get(key) ?? create(key);
    meters.set(key, meter);
    return meter;
  };
}
