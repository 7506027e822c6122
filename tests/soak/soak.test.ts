/** A short soak with every kind of fault and client. `npm run just -- soak` runs a long one. */
// Specification: core 7, core 9
import { expect, it } from 'vitest';
import { redisServer, startRedis } from '../support/relay/redis.js';
import { IS_THOROUGH } from '../support/thorough.js';
import { runSoak } from './soak.js';

const CLIENTS = 40;
const OPTIONS = { timeout: 600_000, concurrent: true };

const path = redisServer();

/** Soaks the relays, and asserts that everything happened and nothing was lost. */
async function soak(redisUrl?: string): Promise<void> {
  const seed = Date.now() % 2 ** 32;
  const report = await runSoak({
    seed,
    goesOn: (index) => index < CLIENTS,
    atATime: 10,
    relays: 2,
    keys: 2,
    ...(redisUrl && { redisUrl }),
    clientsPerEnding: 9,
    clientsPerWeather: 5,
  });
  expect(report.violations, `seed ${seed}`).toEqual([]);
  expect(report.granted).toBeGreaterThan(CLIENTS / 2);
  // A soak without any faults proves nothing.
  const counts = { ...report.clients, ...report.endings, ...report.faults };
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
}

// Relays that share nothing do less: the others' test stands for them where there is Redis.
it(
  'relays lose no registration and pay none twice, to the yocto',
  {
    ...OPTIONS,
    skip: !IS_THOROUGH && path !== null,
  },
  () => soak(),
);

it('relays that share a Redis lose no registration and pay none twice, to the yocto', {
  ...OPTIONS,
  skip: path === null,
}, async () => {
  const redis = await startRedis(String(path));
  try {
    await soak(redis.url);
  } finally {
    await redis.stop();
  }
});
