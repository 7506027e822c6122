// Measures several relays together: registrations a second by the number of relays and of their keys, and unlocks a second by
// the number of relays and of connections. Writes the figures to scripts/bench/measured/relays.json and draws them as the plot of
// docs/guides/scaling.mdx. `scripts/bench.sh relays` runs it with `node --import tsx`; with `registrations` or `unlocks` as its
// argument, it measures that alone and keeps the other figures.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { dirname } from 'node:path';
import { redisServer, startRedis } from '../../tests/support/relay/redis.ts';
import { printTable } from './lib/load.mjs';
import {
  BLOCK_TIME_MS,
  loadRegistrations,
  loadUnlocks,
  lockSomething,
  machine,
  REGISTRATIONS_AT_A_TIME,
  withRelays,
} from './lib/relays.mjs';
import { MEASURED, writePlots } from './lib/relays-plot.mjs';

/** How the relays share: keys alone, or a Redis. */
const SERIES = [
  { relays: 1, share: 'keys' },
  { relays: 2, share: 'keys' },
  { relays: 2, share: 'Redis' },
];
const KEYS = [1, 4, 16];
const RELAYS = [1, 2, 3];
const UNLOCK_SECONDS = 5;
const CONNECTIONS = [1, 4, 16, 64];

const redis = redisServer();
if (redis === null) throw new Error('This bench needs redis-server: scripts/setup.sh tests installs it.');

const measures = { registrations: measureRegistrations, unlocks: measureUnlocks };
const [, , only] = process.argv;
const former = only === undefined ? {} : JSON.parse(await readFile(MEASURED, 'utf8'));
const measured = await withRelays(async (chain, start) => {
  const parts = { ...former };
  for (const [name, measure] of Object.entries(measures)) {
    if (only !== undefined && only !== name) continue;
    const setting = settingNow();
    parts[name] = { ...setting, rows: await measure(chain, start) };
  }
  return parts;
});
await mkdir(dirname(MEASURED), { recursive: true });
await writeFile(MEASURED, `${JSON.stringify(measured, null, 2)}\n`);
await writePlots();
console.log(`${machine()}\n`);
for (const [name, { rows }] of Object.entries(measured)) {
  console.log(name);
  printTable(Object.keys(rows[0]), rows.map(Object.values));
  console.log();
}

/** What a reader needs to compare the figures. The load is other work on the machine, which makes each of them smaller. */
function settingNow() {
  const [loadBefore = 0] = loadavg();
  return {
    machine: machine(),
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    loadBefore: Number(loadBefore.toFixed(1)),
    blockTimeMs: BLOCK_TIME_MS,
    registrationsAtATime: REGISTRATIONS_AT_A_TIME,
  };
}

async function measureRegistrations(chain, start) {
  const rows = [];
  for (const { relays, share } of SERIES) {
    for (const keys of KEYS) {
      // From zero for each row.
      const shared = share === 'Redis' ? await startRedis(redis) : null;
      const made = { relayCount: relays, keyCount: keys, redisUrl: shared?.url ?? null };
      const { perSecond } = await loadRegistrations(chain, start, made);
      rows.push({ relays, share, keys, perSecond: Math.round(perSecond) });
      await shared?.stop();
    }
  }
  return rows;
}

/** All relays at the same time, as a balancer would ask them. */
async function measureUnlocks(_chain, start) {
  const rows = [];
  for (const count of RELAYS) {
    const relays = [];
    for (let index = 0; index < count; index++) relays.push(await start());
    const { p_b64u } = await (await fetch(`${relays[0].url}/shamir/key-info`)).json();
    const body = await lockSomething(relays[0], p_b64u);
    for (const connections of CONNECTIONS) {
      const load = { connections, seconds: UNLOCK_SECONDS };
      const figures = await Promise.all(relays.map((relay) => loadUnlocks(relay, body, load)));
      const perSecond = Math.round(figures.reduce((sum, each) => sum + each.perSecond, 0));
      rows.push({ relays: count, connections, perSecond });
    }
    for (const relay of relays) await relay.stop();
  }
  return rows;
}
