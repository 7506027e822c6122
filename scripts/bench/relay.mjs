// Measures the relay under load on loopback: unlocks and registrations a second, and memory.
// Runs real processes: built relays (ts/dist) and the chain (target/debug/latchkey-devnet), with the load from here. They
// share the machine, so each figure is a lower bound; the shares of a core show which process was busy.
// `scripts/bench.sh relay` runs it with `node --import tsx`.
import { createDiffieHellman, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { startChain, startRelay } from '../../demo/stack/services.ts';
import { createRpcClient } from '../../ts/src/near/index.ts';
import { redisServer, startRedis } from '../../ts/src/server/testing/redis.ts';
import { loadVrf, makeRegistrationAt, ORIGIN } from '../../ts/src/server/testing/registration.ts';
import { makeRelayerKeys } from '../../ts/src/server/testing/relayer-keys.ts';
import * as vrf from '../../ts/wasm/vrf/vrf.js';
import { percentile, printTable, processorSeconds, residentMiB, runPool } from './lib/load.mjs';
import { race } from './lib/race.mjs';

const UNLOCK_SECONDS = 10;
const UNLOCK_CONNECTIONS = [1, 4, 16, 64];
const REGISTRATIONS = 600;
const REGISTRATIONS_AT_A_TIME = 256;
const RELAYS = [1, 2];
const KEYS = [1, 4, 16];
const REDIS = redisServer();
const WARM_UP = 16;
const BLOCK_TIME_MS = 600;

const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
const stops = [() => rm(folder, { recursive: true })];
try {
  await loadVrf();
  console.log(`${cpus()[0].model}, ${availableParallelism()} cores, Node ${process.version}\n`);
  // Challenges are made before their run, so they may be old.
  const chain = await startChain({ port: 0, blockTimeMs: BLOCK_TIME_MS, maxBlockAge: 100_000 });
  stops.push(() => chain.stop());
  await benchUnlocks(chain);
  await benchRegistrations(chain);
} finally {
  for (const stop of stops.reverse()) await stop();
}

async function startBenchRelay(chain, options = {}) {
  const relay = await startRelay({
    port: 0,
    chainUrl: chain.url,
    appOrigin: ORIGIN,
    lockKeyFile: join(folder, 'lock-key.json'),
    ...options,
    env: {
      RELAY_PARALLEL_REGISTRATIONS: String(REGISTRATIONS_AT_A_TIME),
      LOG_LEVEL: 'warn',
      ...options.env,
    },
  });
  stops.push(() => relay.stop());
  return relay;
}

async function benchUnlocks(chain) {
  const relay = await startBenchRelay(chain);
  const { p_b64u } = await (await fetch(`${relay.url}/shamir/key-info`)).json();
  const body = await lockSomething(relay, p_b64u);
  const barePerSecond = await measureBarePower(p_b64u);
  const memory = [residentMiB(relay.pid)];
  const rows = [];
  for (const connections of UNLOCK_CONNECTIONS) {
    const usage = startUsage(relay);
    const { requests, latency, non2xx, errors, timeouts } = await autocannon({
      url: `${relay.url}/vrf/remove-server-lock`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      connections,
      duration: UNLOCK_SECONDS,
    });
    if (non2xx + errors + timeouts > 0) {
      const failures = `${non2xx} refused, ${errors} failed, ${timeouts} of them timed out`;
      throw new Error(`not all of ${requests.total} unlocks succeeded: ${failures}`);
    }
    memory.push(residentMiB(relay.pid));
    const cells = [requests.average, latency.p50, latency.p99].map((number) => number.toFixed(0));
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

/** The body of an unlock request: a number locked by the relay's current key. */
async function lockSomething(relay, p_b64u) {
  vrf.configureShamirP(p_b64u);
  vrf.generateKeypairBootstrap();
  const { kekCB64u } = vrf.lockWrapStart();
  return post(`${relay.url}/vrf/apply-server-lock`, JSON.stringify({ kek_c_b64u: kekCB64u }));
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

async function benchRegistrations(chain) {
  const rows = [];
  for (const relays of RELAYS) {
    for (const keys of KEYS) rows.push(await benchRegistrationsWith(chain, relays, keys, null));
  }
  if (REDIS) {
    for (const keys of KEYS) {
      // From zero for each row, as the relays without it start.
      const redis = await startRedis(REDIS);
      rows.push(await benchRegistrationsWith(chain, RELAYS.at(-1), keys, redis.url));
      await redis.stop();
    }
  }
  console.log(
    `Registrations: ${REGISTRATIONS} each, ${REGISTRATIONS_AT_A_TIME} at a time, a block every ${BLOCK_TIME_MS} ms`,
  );
  const headings = ['relays', 'keys', 'share', 'registrations/s', 'p50 ms', 'p99 ms', 're-signed'];
  printTable([...headings, 'relay core', 'chain core', 'relay MiB', 'chain MiB'], rows);
}

/** One row: `relayCount` relays share `keyCount` keys, and a Redis if there is one, and take requests in turn. */
async function benchRegistrationsWith(chain, relayCount, keyCount, redisUrl) {
  const privateKeys = await makeRelayerKeys(chain.url, keyCount);
  let resigned = 0;
  const onLine = (line) => {
    if (line.includes('registration_refused')) resigned += 1;
  };
  const relays = [];
  for (let index = 0; index < relayCount; index++) {
    relays.push(
      await startBenchRelay(chain, { privateKeys, onLine, env: redisUrl ? { REDIS_URL: redisUrl } : {} }),
    );
  }
  const block = await createRpcClient({ urls: chain.url }).block();
  const jobs = (count) =>
    Array.from({ length: count }, (_, index) => ({
      url: `${relays[index % relayCount].url}/create_account_and_register_user`,
      body: JSON.stringify(makeRegistrationAt(block)),
    }));
  const register = ({ url, body }) => post(url, body);
  await runPool(jobs(WARM_UP * relayCount), WARM_UP, register);
  const made = jobs(REGISTRATIONS);
  resigned = 0;
  const [relayUsage, chainUsage] = [startUsage(relays[0]), startUsage(chain)];
  const { times, seconds } = await runPool(made, REGISTRATIONS_AT_A_TIME, register);
  const row = [
    relayCount,
    keyCount,
    redisUrl ? 'Redis' : 'keys',
    (REGISTRATIONS / seconds).toFixed(0),
    percentile(times, 0.5).toFixed(0),
    percentile(times, 0.99).toFixed(0),
    resigned,
    relayUsage(seconds),
    chainUsage(seconds),
    residentMiB(relays[0].pid).toFixed(0),
    residentMiB(chain.pid).toFixed(0),
  ];
  for (const relay of relays) await relay.stop();
  return row;
}

/** Posts JSON; returns the body of a success. */
async function post(url, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text;
}

/** Measures the share of a core that a process uses from now on. */
function startUsage({ pid }) {
  const before = processorSeconds(pid);
  return (seconds) => `${((100 * (processorSeconds(pid) - before)) / seconds).toFixed(0)} %`;
}
