/** A spending cap for each sender, so that no sender uses up the cap of all delegates. */

import type { Log } from '../observe/log.js';
import type { MeterFor } from '../relayer/meters.js';
import type { SpendMeter } from '../relayer/spend.js';

/** A sender at its cap needs no attention from the operator. */
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The sender's meter, over 24 hours. */
export function meterOfSender(meterFor: MeterFor, senderId: string, capYocto: bigint): SpendMeter {
  const sentence = `This relay has paid as much as it may for ${senderId} for now.`;
  return meterFor(`sender:${senderId}`, { capYocto, log: SILENT, refusal: { code: 'spend_cap', sentence } });
}
