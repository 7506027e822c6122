/** A spending cap for each sender, so that no sender uses up the cap of all delegates. */

import { dropOldest } from '../http/drop-oldest.js';
import type { Log } from '../observe/log.js';
import { createMemorySpendMeter, type SpendMeter } from '../relayer/spend.js';

/** Above this, the meter of the sender that was silent longest is dropped. */
const MAX_SENDERS = 10_000;

/** A sender at its cap needs no attention from the operator. */
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A meter for each sender, over 24 hours. */
export function createSenderMeters(capYocto: bigint): (senderId: string) => SpendMeter {
  const meters = new Map<string, SpendMeter>();
  return (senderId) => {
    const sentence = `This relay has paid as much as it may for ${senderId} for now.`;
    const meter =
      meters.get(senderId) ??
      createMemorySpendMeter({ capYocto, log: SILENT, refusal: { code: 'spend_cap', sentence } });
    meters.delete(senderId);
    meters.set(senderId, meter);
    dropOldest(meters, MAX_SENDERS);
    return meter;
  };
}
