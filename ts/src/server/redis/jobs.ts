/** The jobs of all relays in Redis. A claim ends by itself if its relay does not renew it. */
import { randomUUID } from 'node:crypto';
import { base64 } from '@scure/base';
import * as v from 'valibot';
import { messageOf } from '../../errors/index.js';
import type { Log } from '../observe/log.js';
import type { JobClaim, JobStore, KeptJob, StoredJob } from '../relayer/jobs.js';
import type { SpendReservation } from '../relayer/spend.js';
import type { RedisLink } from './link.js';
import { CLAIM, IS_OPEN, KEEP, RELEASE, RENEW, SETTLED } from './scripts.js';

/** How long the job of a killed relay waits for another. */
const CLAIM_MS = 15_000;
const RENEW_MS = 5_000;
/** A transaction's block hash has expired after a day. */
const JOB_MS = 25 * 3_600_000;
/** A relay that was asked at the same time has long claimed the job by then. */
const DONE_MS = 120_000;

const ClaimedSchema = v.tuple([v.number(), v.string(), v.string()]);
const JobSchema = v.object({
  bytes: v.string(),
  publicKey: v.string(),
  mostYocto: v.string(),
  depositYocto: v.string(),
  tickets: v.array(v.string()),
});

export function createRedisJobs(
  link: RedisLink,
  reservationOf: (tickets: readonly string[]) => SpendReservation,
  log: Log,
): JobStore {
  const readJob = (hash: string, text: string): StoredJob => {
    const { bytes, publicKey, mostYocto, depositYocto, tickets } = v.parse(JobSchema, JSON.parse(text));
    return {
      call: { bytes: base64.decode(bytes), hash, publicKey },
      mostYocto: BigInt(mostYocto),
      depositYocto: BigInt(depositYocto),
      reservation: reservationOf(tickets),
    };
  };

  return {
    async claim(name, underWay): Promise<JobClaim> {
      const keys = [`claim:${name}`, `job:${name}`];
      const token = randomUUID();
      const answer = await link.run(CLAIM, keys, [token, CLAIM_MS]);
      const [isFree, hash, text] = v.parse(ClaimedSchema, answer);
      if (isFree === 0) throw underWay(hash || null);
      const sent = hash ? readJob(hash, text) : null;
      const renewal = setInterval(() => {
        // A claim that is lost shows when something is to be kept under it.
        link.run(RENEW, keys, [token, CLAIM_MS]).catch(() => undefined);
      }, RENEW_MS);
      renewal.unref();
      return {
        sent,
        async keep(job) {
          return (await link.run(KEEP, keys, [token, CLAIM_MS, job.call.hash, textOf(job), JOB_MS])) === 1;
        },
        async release() {
          clearInterval(renewal);
          await link.run(RELEASE, keys, [token]).catch((error: unknown) => {
            log.warn('redis_claim_stays', { seconds: CLAIM_MS / 1000, reason: messageOf(error) });
          });
        },
      };
    },

    isOpen: async (name) => (await link.run(IS_OPEN, [`job:${name}`], [])) === 1,

    settled(name, transactionHash, end) {
      link
        .run(SETTLED, [`job:${name}`], [transactionHash, end === 'done' ? DONE_MS : 0])
        // The relay that claims the job sends the same bytes, and learns the same outcome.
        .catch((error: unknown) =>
          log.warn('redis_job_stays', { transactionHash, reason: messageOf(error) }),
        );
    },
  };
}

function textOf({ call, mostYocto, depositYocto, tickets }: KeptJob): string {
  return JSON.stringify({
    bytes: base64.encode(call.bytes),
    publicKey: call.publicKey,
    mostYocto: String(mostYocto),
    depositYocto: String(depositYocto),
    tickets,
  });
}
