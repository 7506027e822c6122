/** The jobs of all relays in Redis. A claim ends by itself if its relay does not renew it. */
import { randomUUID } from 'node:crypto';
import { base64 } from '@scure/base';
import * as v from 'valibot';
import { messageOf } from '../../errors/index.js';
import type { Log } from '../observe/log.js';
import type { JobClaim, JobStore, KeptJob, StoredJob } from '../relayer/jobs.js';
import { jointReservation } from '../relayer/spend.js';
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
const JobSchema = v.object({
  bytes: v.string(),
  publicKey: v.string(),
  mostYocto: v.string(),
  depositYocto: v.string(),
  tickets: v.array(v.string()),
});

export interface RedisJobsOptions {
  readonly link: RedisLink;
  /** Null if the ticket is of a kind that this relay does not know. */
  readonly reservationOf: (ticket: string) => TicketedReservation | null;
  readonly log: Log;
  /** The age in milliseconds at which a reservation ends that pays for no stored transaction. Default 30,000. */
  readonly unkeptMs?: number | undefined;
}

export function createRedisJobs({
  link,
  reservationOf,
  log,
  unkeptMs = UNKEPT_MS,
}: RedisJobsOptions): JobStore {
  const readJob = (hash: string, text: string): StoredJob => {
    const { bytes, publicKey, mostYocto, depositYocto, tickets } = v.parse(JobSchema, JSON.parse(text));
    return {
      call: { bytes: base64.decode(bytes), hash, publicKey },
      mostYocto: BigInt(mostYocto),
      depositYocto: BigInt(depositYocto),
      reservation: jointReservation(
        tickets.map(reservationOf).filter((each) => each !== null),
        tickets,
      ),
    };
  };

  return {
    async claim(name, underWay): Promise<JobClaim> {
      const held = [`claim:${name}`];
      const keys = [...held, `job:${name}`, openKey(name)];
      const token = randomUUID();
      const answer = await link.run(CLAIM, keys, [token, CLAIM_MS, name]);
      const [isFree, hash, text] = v.parse(ClaimedSchema, answer);
      if (isFree === 0) throw underWay(hash || null);
      const sent = hash ? readJob(hash, text) : null;
      const renewal = setInterval(() => {
        // A claim that is lost shows when something is to be kept under it.
        link.run(RENEW, held, [token, CLAIM_MS]).catch(() => undefined);
      }, RENEW_MS);
      renewal.unref();
      return {
        sent,
        async keep(job) {
          const args = [token, CLAIM_MS, name, job.call.hash, textOf(job), JOB_MS, ...job.tickets];
          return (await link.run(KEEP, [...keys, UNKEPT_KEY], args)) === 1;
        },
        async release() {
          clearInterval(renewal);
          await link.run(RELEASE, held, [token]).catch((error: unknown) => {
            log.warn('redis_claim_stays', { seconds: CLAIM_MS / 1000, reason: messageOf(error) });
          });
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
      link.run(COUNTED, [`job:${name}`, openKey(name)], [transactionHash, name]).catch((error: unknown) => {
        log.warn('redis_job_stays', { transactionHash, reason: messageOf(error) });
      });
    },

    due: async (noun) => v.parse(TextsSchema, await link.run(DUE, [openKey(noun)], [MAX_DUE, DUE_MS])),

    async endUnkept() {
      const tickets = v.parse(TextsSchema, await link.run(UNKEPT, [UNKEPT_KEY], [MAX_UNKEPT, unkeptMs]));
      const ended = await Promise.all(tickets.map((ticket) => reservationOf(ticket)?.endUnkept()));
      return ended.filter(Boolean).length;
    },
  };
}

/** The key of the set of open jobs with the noun of this name. */
const openKey = (name: string) => `open:${name.split(':', 1)}`;

function textOf({ call, mostYocto, depositYocto, tickets }: KeptJob): string {
  return JSON.stringify({
    bytes: base64.encode(call.bytes),
    publicKey: call.publicKey,
    mostYocto: String(mostYocto),
    depositYocto: String(depositYocto),
    tickets,
  });
}
