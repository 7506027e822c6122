/** Money is spent only after the record of it outlives the process. */
import { messageOf } from 'latchkey/internal/server';
import { Refusal } from '../http/refusal.js';
import type { Log } from '../observe/log.js';
import type { RelayRecord } from './record.js';
import type { SpendMeter } from './spend.js';

/**
 * A meter whose reservations are recorded before they resolve. In a joint meter it comes last, so that the record has
 * the changes of the others, too.
 */
export function createDurableSpendMeter(meter: SpendMeter, record: RelayRecord, log: Log): SpendMeter {
  /** An end that is not recorded counts as the reservation after a restart, which is the larger sum. */
  const flushLater = () =>
    record.flush().catch((error: unknown) => log.error('record_failed', { reason: messageOf(error) }));

  return {
    async reserve(yocto) {
      const reservation = await meter.reserve(yocto);
      try {
        await record.flush();
      } catch (cause) {
        await reservation.release();
        const message = 'The relay cannot keep its record now. Nothing was sent; try again later.';
        throw new Refusal('not_ready', message, { cause });
      }
      return {
        tickets: reservation.tickets ?? [],
        async commit(actualYocto) {
          await reservation.commit(actualYocto);
          void flushLater();
        },
        async release() {
          await reservation.release();
          void flushLater();
        },
      };
    },
  };
}
