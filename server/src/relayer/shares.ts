/**
 * A part of the day's budget for each client address and each network, so that no address spends the relay's day.
 *
 * A share counts what the relay reserved and spent for a client, by the rules of the spend cap. Deleting an account
 * afterwards returns nothing to it.
 */
import { isPrivate, networkOf } from '../http/client-address.js';
import type { Log } from '../observe/log.js';
import type { MeterFor } from './meters.js';
import { createJointSpendMeter, type SpendMeter } from './spend.js';

export interface SharesOptions {
  /** yoctoNEAR within 24 hours for one address: an IPv4 address or an IPv6 /64. */
  readonly addressYocto: bigint;
  /** yoctoNEAR within 24 hours for one network: an IPv4 /24 or an IPv6 /48. */
  readonly networkYocto: bigint;
  readonly meterFor: MeterFor;
  readonly log: Log;
}

/** The meter of the client with this address, as `ClientAddress` writes it. */
export type Shares = (address: string) => SpendMeter;

const PROXY_HINT =
  'The address is private. If a proxy is in front of the relay, count it in TRUSTED_PROXY_HOPS.';

export function createShares({ addressYocto, networkYocto, meterFor, log }: SharesOptions): Shares {
  const ofOne = (whose: 'address' | 'network', key: string, capYocto: bigint) =>
    meterFor(`share:${whose}:${key}`, {
      capYocto,
      log: {
        ...log,
        warn: (event, fields) =>
          log.warn(event, { ...fields, scope: whose, ...(isPrivate(key) && { hint: PROXY_HINT }) }),
      },
      capLevel: 'warn',
      alwaysAdmitsOne: true,
      refusal: {
        code: 'address_cap',
        sentence: `This relay has paid as much as it may for new accounts from your ${whose} for now.`,
      },
    });
  return (address) => ({
    reserve: (yocto) =>
      createJointSpendMeter([
        ofOne('network', networkOf(address), networkYocto),
        ofOne('address', address, addressYocto),
      ]).reserve(yocto),
  });
}
