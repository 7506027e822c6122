/** A signed transaction as the text that a store keeps. */
import { base64 } from '@scure/base';
import { messageOf } from 'latchkey/internal/server';
import * as v from 'valibot';
import type { Log } from '../observe/log.js';
import type { KeptJob, StoredJob } from './jobs.js';
import { jointReservation, type SpendReservation } from './spend.js';

const JobSchema = v.object({
  bytes: v.string(),
  publicKey: v.string(),
  mostYocto: v.string(),
  depositYocto: v.string(),
  tickets: v.array(v.string()),
});

/** The reservation of a ticket; null for a kind of ticket that this relay does not know. */
export type ReservationOf<T = SpendReservation> = (ticket: string) => T | null;

export function textOfJob({ call, mostYocto, depositYocto, tickets }: KeptJob): string {
  return JSON.stringify({
    bytes: base64.encode(call.borshBytes),
    publicKey: call.publicKey,
    mostYocto: String(mostYocto),
    depositYocto: String(depositYocto),
    tickets,
  });
}

/** Reads the texts of jobs. Of each that it cannot read it writes one line to the log, and returns null. */
export function createJobReader(
  reservationOf: ReservationOf,
  log: Log,
): (name: string, hash: string, text: string) => StoredJob | null {
  let reported = new Set<string>();
  return (name, hash, text) => {
    try {
      const { bytes, publicKey, mostYocto, depositYocto, tickets } = v.parse(JobSchema, JSON.parse(text));
      return {
        call: { borshBytes: base64.decode(bytes), hash, publicKey },
        mostYocto: BigInt(mostYocto),
        depositYocto: BigInt(depositYocto),
        reservation: jointReservation(
          tickets.map(reservationOf).filter((each) => each !== null),
          tickets,
        ),
      };
    } catch (error) {
      const isReported = reported.has(hash);
      if (reported.size >= MAX_REPORTED) reported = new Set();
      reported.add(hash);
      if (!isReported)
        log.error('job_unreadable', { job: name, transactionHash: hash, reason: messageOf(error) });
      return null;
    }
  };
}

const MAX_REPORTED = 1_000;
