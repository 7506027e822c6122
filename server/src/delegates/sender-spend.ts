/** A spending cap for each sender, so that no sender uses up the cap of all delegates. */

import { type MeterFor, meterOfOne } from '../relayer/meters.js';
import type { SpendMeter } from '../relayer/spend.js';

/** The sender's meter, over 24 hours. */
export function meterOfSender(meterFor: MeterFor, senderId: string, capYocto: bigint): SpendMeter {
  return meterOfOne(meterFor, `sender:${senderId}`, senderId, capYocto);
}
