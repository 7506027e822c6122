/**
 * The jobs of a relay alone, in its record: what it signed is stored before it is sent, so that a process that starts after
 * it was killed finds it.
 */

import { messageOf } from 'latchkey/internal/server';
import * as v from 'valibot';
import { Refusal } from '../http/refusal.js';
import type { Log } from '../observe/log.js';
import { createJobReader, type ReservationOf, textOfJob } from './job-text.js';
import type { JobClaim, JobStore } from './jobs.js';
import type { RelayRecord } from './record.js';
import type { Unkept } from './unkept.js';

const PREFIX = 'job:';
/** A transaction's block hash has expired after a day. */
const JOB_MS = 25 * 3_600_000;
/** The relay looks at an open job again after this long, at most at so many at a time. */
const DUE_MS = 15_000;
const MAX_DUE = 8;
const NOT_STORED = 'The relay cannot keep its record now. Nothing was sent; try again later.';

const EntrySchema = v.object({
  hash: v.string(),
  text: v.string(),
  storedAtMs: v.number(),
  isCounted: v.boolean(),
});
type Entry = v.InferOutput<typeof EntrySchema> & { dueAtMs: number };

export interface LocalJobsOptions {
  readonly record: RelayRecord;
  readonly unkept: Unkept;
  readonly reservationOf: ReservationOf;
  readonly log: Log;
}

export interface LocalJobs extends JobStore {
  /** Whether a sweep has to come: a stored transaction is not counted, or a reservation pays for none yet. */
  hasOpen(): boolean;
}

export function createLocalJobs({ record, unkept, reservationOf, log }: LocalJobsOptions): LocalJobs {
  const read = createJobReader(reservationOf, log);
  const jobs = new Map<string, Entry>();
  /** The end of each claim that holds. */
  const claims = new Map<string, Promise<void>>();

  const write = (name: string, { hash, text, storedAtMs, isCounted }: Entry) =>
    record.write(PREFIX + name, JSON.stringify({ hash, text, storedAtMs, isCounted }));
  const drop = (name: string) => {
    jobs.delete(name);
    record.write(PREFIX + name, null);
  };
  const dropExpired = () => {
    for (const [name, { storedAtMs }] of jobs) if (storedAtMs + JOB_MS < record.now()) drop(name);
  };

  for (const [name, text] of record.entries(PREFIX)) {
    jobs.set(name, { ...v.parse(EntrySchema, JSON.parse(text)), dueAtMs: 0 });
  }
  dropExpired();

  /** What outlives the process only later costs nothing: the same bytes are sent again, and counted once. */
  const flushLater = () =>
    record.flush().catch((error: unknown) => log.error('record_failed', { reason: messageOf(error) }));

  return {
    async claim(name, underWay): Promise<JobClaim> {
      for (let former = claims.get(name); former; former = claims.get(name)) await former;
      const stored = jobs.get(name);
      const sent = stored ? read(name, stored.hash, stored.text) : null;
      if (stored && !sent) throw underWay(stored.hash);
      let end: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        end = resolve;
      });
      claims.set(name, held);
      return {
        sent,
        async keep(job) {
          const now = record.now();
          const text = textOfJob(job);
          const entry = {
            hash: job.call.hash,
            text,
            storedAtMs: now,
            isCounted: false,
            dueAtMs: now + DUE_MS,
          };
          write(name, entry);
          for (const ticket of job.tickets) unkept.delete(ticket);
          try {
            await record.flush();
          } catch (cause) {
            // A relay that has taken the record over ends the reservation, so nothing may be sent for it.
            drop(name);
            throw new Refusal('not_ready', NOT_STORED, { cause });
          }
          jobs.set(name, entry);
          return true;
        },
        async release() {
          if (claims.get(name) === held) claims.delete(name);
          end();
        },
      };
    },

    isOpen: async (name) => jobs.has(name),

    hasOpen: () => unkept.hasAny() || [...jobs.values()].some(({ isCounted }) => !isCounted),

    async settled(name, transactionHash, _end, freed = []) {
      if (jobs.get(name)?.hash !== transactionHash) return true;
      for (const ticket of freed) unkept.add(ticket);
      drop(name);
      void flushLater();
      return true;
    },

    counted(name, transactionHash) {
      const entry = jobs.get(name);
      if (entry?.hash !== transactionHash) return;
      entry.isCounted = true;
      write(name, entry);
    },

    async due(noun) {
      dropExpired();
      const now = record.now();
      const names = [...jobs]
        .filter(([name, { isCounted, dueAtMs }]) => !isCounted && dueAtMs <= now && !claims.has(name))
        .map(([name]) => name)
        .filter((name) => name.startsWith(`${noun}:`))
        .slice(0, MAX_DUE);
      for (const name of names) {
        const entry = jobs.get(name);
        if (entry) entry.dueAtMs = now + DUE_MS;
      }
      return names;
    },

    async endUnkept() {
      const tickets = unkept.former();
      for (const ticket of tickets) {
        await reservationOf(ticket)?.release();
        unkept.delete(ticket);
      }
      if (tickets.length > 0) void flushLater();
      return tickets.length;
    },
  };
}
