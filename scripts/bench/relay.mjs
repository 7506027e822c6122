// Measures the relay under load on loopback: unlocks and registrations a second, and memory. Runs real processes: built
// relays (server/dist) and the chain (target/debug/latchkey-devnet). `scripts/bench.sh relay` runs it with `node --import tsx`.
import { createDiffieHellman, randomBytes } from 'node:crypto';
import { redisServer, startRedis } from '../../tests/support/relay/redis.ts';
import { printTable, residentMiB } from './lib/load.mjs';
import { race } from './lib/race.mjs';
import {
  BLOCK_TIME_MS,
  loadRegistrations,
  loadUnlocks,
  lockSomething,
  machine,
  REGISTRATIONS,
  REGISTRATIONS_AT_A_TIME,
  startUsage,
  withRelays,
} from './lib/relays.mjs';

const UNLOCK_SECONDS = 10;
const UNLOCK_CONNECTIONS = [1, 4, 16, 64];
const RELAYS = [1, 2];
const KEYS = [1, 4, 16];
const REDIS = redisServer();

console.log(`${machine()}\n`);
await withRelays(async (chain, start) => {
  await benchUnlocks(start);
  await benchRegistrations(chain, start);
});

async function benchUnlocks(start) {
  const relay = await start();
  const { p_b64u } = await (await fetch(`${relay.url}/shamir/key-info`)).json();
  const body = await lockSomething(relay, p_b64u);
  const barePerSecond = await measureBarePower(p_b64u);
  const memory = [residentMiB(relay.pid)];
  const rows = [];
  for (const connections of UNLOCK_CONNECTIONS) {
    const usage = startUsage(relay);
    const figures = await loadUnlocks(relay, body, { connections, seconds: UNLOCK_SECONDS });
    memory.push(residentMiB(relay.pid));
    const cells = [figures.perSecond, figures.p50, figures.p99].map((number) => number.toFixed(0));
    rows.push([connections, ...cells, usage(UNLOCK_SECONDS), memory.at(-1).toFixed(0)]);
  }
  console.log(`Unlocks: POST /vrf/remove-server-lock for ${UNLOCK_SECONDS} s each`);
  printTable(['connections', 'unlocks/s', 'p50 ms', 'p99 ms', 'relay core', 'relay MiB'], rows);
  const best = Math.max(...rows.map(([, unlocks]) => Number(unlocks)));
  console.log(`relay MiB before: ${memory[0].toFixed(0)}`);
  console.log(`OpenSSL's bare power on one core: ${barePerSecond.toFixed(0)}/s`);
  console.log(`relay / OpenSSL: ${(best / barePerSecond).toFixed(2)}\n`);
  await relay.stop();
}

/** OpenSSL's modular powers with a full exponent per second: the unavoidable part of an unlock. */
async function measureBarePower(p_b64u) {
  const p = Buffer.from(p_b64u, 'base64url');
  const number = () => Buffer.concat([Buffer.of(0x7f), randomBytes(p.length - 1)]);
  const power = createDiffieHellman(p, 2);
  power.setPrivateKey(number());
  const base = number();
  const [milliseconds] = await race(301, [() => power.computeSecret(base)]);
  return 1000 / milliseconds;
}

async function benchRegistrations(chain, start) {
  const rows = [];
  for (const relayCount of RELAYS) {
    for (const keyCount of KEYS)
      rows.push(
        rowOf('keys', relayCount, keyCount, await loadRegistrations(chain, start, { relayCount, keyCount })),
      );
  }
  if (REDIS) {
    for (const keyCount of KEYS) {
      // From zero for each row, as the relays without it start.
      const redis = await startRedis(REDIS);
      const relayCount = RELAYS.at(-1);
      const figures = await loadRegistrations(chain, start, { relayCount, keyCount, redisUrl: redis.url });
      rows.push(rowOf('Redis', relayCount, keyCount, figures));
      await redis.stop();
    }
  }
  console.log(
    `Registrations: ${REGISTRATIONS} each, ${REGISTRATIONS_AT_A_TIME} at a time, a block every ${BLOCK_TIME_MS} ms`,
  );
  const headings = ['relays', 'keys', 'share', 'registrations/s', 'p50 ms', 'p99 ms', 're-signed'];
  printTable([...headings, 'relay core', 'chain core', 'relay MiB', 'chain MiB'], rows);
}

const rowOf = (share, relayCount, keyCount, figures) => [
  relayCount,
  keyCount,
  share,
  ...[figures.perSecond, figures.p50, figures.p99].map((number) => number.toFixed(0)),
  figures.resigned,
  figures.relayUsage,
  figures.chainUsage,
  ...[figures.relayMiB, figures.chainMiB].map((number) => number.toFixed(0)),
];
