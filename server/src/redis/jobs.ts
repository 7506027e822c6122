/** The jobs of all relays in Redis. A claim ends by itself if its relay does not renew it. */
import { randomUUID } from 'node:crypto';
import { messageOf } from 'latchkey/internal/server';
import * as v from 'valibot';
import type { Log } from '../observe/log.js';
import { createJobReader, type ReservationOf, textOfJob } from '../relayer/job-text.js';
import type { JobClaim, JobStore } from '../relayer/jobs.js';
import type { Ends } from './ends.js';
import type { RedisLink } from './link.js';
import { type TicketedReservation, UNKEPT_KEY } from './reservations.js';
import { CLAIM, COUNTED, DUE, IS_OPEN, KEEP, RELEASE, RENEW, SETTLED, UNKEPT } from './scripts.js';

/** How long the job of a killed relay waits for another. */
const CLAIM_MS = 15_000;
const RENEW_MS = 5_000;
/** A transaction's block hash has expired after a day. */
const JOB_MS = 25 * 3_600_000;
/** A relay that was asked at the same time has long claimed the job by then. */
const DONE_MS = 120_000;
/** A relay looks at an open job again after this long, at most at so many at a time. */
const DUE_MS = 15_000;
const MAX_DUE = 8;
/** A relay takes milliseconds from a reservation to a stored transaction, unless a node makes it wait. */
const UNKEPT_MS = 30_000;
const MAX_UNKEPT = 100;

const ClaimedSchema = v.tuple([v.number(), v.string(), v.string()]);
const TextsSchema = v.array(v.string());

export interface RedisJobsOptions {
  readonly link: RedisLink;
  readonly ends: Pick<Ends, 'isWaiting'>;
  readonly reservationOf: ReservationOf<TicketedReservation>;
  readonly log: Log;
  /** The age in milliseconds at which a reservation ends that pays for no stored transaction. Default 30,000. */
  readonly unkeptMs?: number | undefined;
}

export function createRedisJobs({
  link,
  ends,
  reservationOf,
  log,
  unkeptMs = UNKEPT_MS,
}: RedisJobsOptions): JobStore {
  const readJob = createJobReader(reservationOf, log);

  return {
    async claim(name, underWay): Promise<JobClaim> {
      const held = [`claim:${name}`];
      const keys = [...held, `job:${name}`, openKey(name)];
      const token = randomUUID();
      const answer = await link.run(CLAIM, keys, [token, CLAIM_MS, name]);
      const [isFree, hash, text] = v.parse(ClaimedSchema, answer);
      if (isFree === 0) throw underWay(hash || null);
      const release = () =>
        link.run(RELEASE, held, [token]).catch((error: unknown) => {
          log.warn('redis_claim_stays', { seconds: CLAIM_MS / 1000, reason: messageOf(error) });
        });
      const sent = hash ? readJob(name, hash, text) : null;
      if (hash && !sent) {
        // A relay of another version stored it, and may have sent it.
        await release();
        throw underWay(hash);
      }
      const renewal = setInterval(() => {
        // A claim that is lost shows when something is to be kept under it.
        link.run(RENEW, held, [token, CLAIM_MS]).catch(() => undefined);
      }, RENEW_MS);
      renewal.unref();
      return {
        sent,
        async keep(job) {
          const args = [token, CLAIM_MS, name, job.call.hash, textOfJob(job), JOB_MS, ...job.tickets];
          return (await link.run(KEEP, [...keys, UNKEPT_KEY], args)) === 1;
        },
        async release() {
          clearInterval(renewal);
          await release();
        },
      };
    },

    isOpen: async (name) => (await link.run(IS_OPEN, [`job:${name}`], [])) === 1,

    async settled(name, transactionHash, end, freed = []) {
      const keys = [`job:${name}`, openKey(name), UNKEPT_KEY];
      const args = [transactionHash, end === 'done' ? DONE_MS : 0, name, ...freed];
      try {
        await link.run(SETTLED, keys, args);
        return true;
      } catch (error) {
        // The relay that claims the job sends the same bytes, and learns the same outcome.
        log.warn('redis_job_stays', { transactionHash, reason: messageOf(error) });
        return false;
      }
    },

    counted(name, transactionHash) {
      // The cost may be among them. The job stays due, so that a relay counts it if this one dies before.
      if (ends.isWaiting()) return;
      link.run(COUNTED, [`job:${name}`, openKey(name)], [transactionHash, name]).catch((error: unknown) => {
        log.warn('redis_job_stays', { transactionHash, reason: messageOf(error) });
      });
    },

    due: async (noun) => v.parse(TextsSchema, await link.run(DUE, [openKey(noun)], [MAX_DUE, DUE_MS])),

    async endUnkept() {
      let [ended, unknown] = [0, 0];
      for (;;) {
        const args = [unknown, MAX_UNKEPT, unkeptMs];
        const tickets = v.parse(TextsSchema, await link.run(UNKEPT, [UNKEPT_KEY], args));
        const reservations = tickets.map(reservationOf).filter((each) => each !== null);
        const ends = await Promise.all(reservations.map((each) => each.endUnkept()));
        ended += ends.filter(Boolean).length;
        // Those of a kind that a relay of another version knows stay, and stand before the next ones.
        unknown += tickets.length - reservations.length;
        if (tickets.length < MAX_UNKEPT) return ended;
      }
    },
  };
}

/** The key of the set of open jobs with the noun of this name. */
const openKey = (name: string) => `open:${name.split(':', 1)}`;
