// Relays under load for the benches: real processes (server/dist) on a local chain, and the load on them from here. They share
// the machine, so each figure is a lower bound; the shares of a core show which process was busy.
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { startChain, startRelay } from '../../../dev/services/services.ts';
import { loadVrf, makeRegistrationAt, ORIGIN } from '../../../server/src/testing/registration.ts';
import { makeRelayerKeys } from '../../../tests/support/relay/relayer-keys.ts';
import { createRpcClient } from '../../../ts/src/near/index.ts';
import * as vrf from '../../../ts/wasm/vrf/vrf.js';
import { percentile, processorSeconds, residentMiB, runPool } from './load.mjs';

export const REGISTRATIONS = 600;
export const REGISTRATIONS_AT_A_TIME = 256;
export const BLOCK_TIME_MS = 600;
const WARM_UP = 16;

/** The machine in words. */
export const machine = () => `${cpus()[0].model}, ${availableParallelism()} cores, Node ${process.version}`;

/** Runs `measure` with a chain and a starter of relays, and ends all of them. */
export async function withRelays(measure) {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  const stops = [() => rm(folder, { recursive: true })];
  try {
    await loadVrf();
    // Challenges are made before their run, so they may be old.
    const chain = await startChain({ port: 0, blockTimeMs: BLOCK_TIME_MS, maxBlockAge: 100_000 });
    stops.push(() => chain.stop());
    const start = async (options = {}) => {
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
    };
    return await measure(chain, start);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** The body of an unlock request: a number locked by the relay's current key. */
export async function lockSomething(relay, p_b64u) {
  vrf.configureShamirP(p_b64u);
  vrf.generateKeypairBootstrap();
  const { kekCB64u } = vrf.lockWrapStart();
  return post(`${relay.url}/vrf/apply-server-lock`, JSON.stringify({ kek_c_b64u: kekCB64u }));
}

/** Asks one relay for unlocks over so many connections. Throws if one of them fails. */
export async function loadUnlocks(relay, body, { connections, seconds }) {
  const { requests, latency, non2xx, errors, timeouts } = await autocannon({
    url: `${relay.url}/vrf/remove-server-lock`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    connections,
    duration: seconds,
  });
  if (non2xx + errors + timeouts > 0) {
    const failures = `${non2xx} refused, ${errors} failed, ${timeouts} of them timed out`;
    throw new Error(`not all of ${requests.total} unlocks succeeded: ${failures}`);
  }
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99 };
}

/** So many registrations at relays that share so many keys, and a Redis if there is one, and take requests in turn. */
export async function loadRegistrations(chain, start, { relayCount, keyCount, redisUrl = null }) {
  const privateKeys = await makeRelayerKeys(chain.url, keyCount);
  let resigned = 0;
  const onLine = (line) => {
    if (line.includes('registration_refused')) resigned += 1;
  };
  const relays = [];
  for (let index = 0; index < relayCount; index++) {
    relays.push(await start({ privateKeys, onLine, env: redisUrl ? { REDIS_URL: redisUrl } : {} }));
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
  const figures = {
    perSecond: REGISTRATIONS / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    resigned,
    relayUsage: relayUsage(seconds),
    chainUsage: chainUsage(seconds),
    relayMiB: residentMiB(relays[0].pid),
    chainMiB: residentMiB(chain.pid),
  };
  for (const relay of relays) await relay.stop();
  return figures;
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
export function startUsage({ pid }) {
  const before = processorSeconds(pid);
  return (seconds) => `${((100 * (processorSeconds(pid) - before)) / seconds).toFixed(0)} %`;
}
