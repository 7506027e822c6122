/**
 * A soak: relays register accounts under all kinds of faults, then an audit checks the chain.
 *
 * 1. Start a chain at two providers' addresses, each with three nodes that lag each other, and relays that share one set
 *    of keys. LATCHKEY_CHAIN_NETWORK names other nodes for one run.
 * 2. Clients of each kind send requests (clients.ts). Every few clients the weather changes: the chain answers late,
 *    badly, or not at all. Every few clients a relay is killed or stopped, and restarted.
 * 3. Clear the faults. Repeat the requests that are still open until they settle.
 * 4. Every client asks every relay once more: successes and refusals must not change, and must cost nothing. Then the
 *    relays must hold nothing.
 * 5. Audit the chain (audit.ts).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadVrf } from '../../server/src/testing/registration.js';
import { type BlockView, createRpcClient } from '../../ts/src/near/index.js';
import { startBalancedChain } from '../support/providers.js';
import { makeRelayerKeys } from '../support/relay/relayer-keys.js';
import { type Audit, audit, prepaidBetween, takeSnapshot } from './audit.js';
import { type FaultHits, type FaultSettings, Faults } from './chain.js';
import {
  ask,
  askOnce,
  KINDS,
  type Kind,
  MAX_CLIENTS,
  makeWishes,
  nameOf,
  type Wish,
  wishesFor,
} from './clients.js';
import { inParallel } from './in-parallel.js';
import { randomOf } from './random.js';
import { type Ending, RelayFleet } from './relays.js';

export interface SoakOptions {
  readonly seed: number;
  /** Whether client `index` still starts. */
  readonly goesOn: (index: number) => boolean;
  /** The number of concurrent clients. */
  readonly atATime: number;
  readonly relays: number;
  readonly keys: number;
  /** The Redis that the relays share. Default: none. */
  readonly redisUrl?: string;
  /** The number of clients between two relay restarts. */
  readonly clientsPerEnding: number;
  /** The number of clients between two changes of weather. */
  readonly clientsPerWeather: number;
  readonly onProgress?: (line: string) => void;
}

export interface SoakReport extends Audit {
  readonly seed: number;
  readonly seconds: number;
  readonly clients: Readonly<Record<Kind, number>>;
  /** The count of each kind of answer before the faults were cleared. */
  readonly answers: Readonly<Record<string, number>>;
  readonly granted: number;
  readonly refused: number;
  /** The wishes still open when the faults were cleared. */
  readonly openAtTheEnd: number;
  readonly endings: Readonly<Record<Ending, number>>;
  readonly longestStopSeconds: number;
  readonly faults: Readonly<FaultHits>;
}

const BLOCK_TIME_MS = 100;
const SETTLE_TRIES = 40;
const SETTLE_PAUSE_MS = 1_000;

/** The fault settings that the chain cycles through. */
const WEATHERS: readonly FaultSettings[] = [
  { latencyMs: 250 },
  { loseAnswerRate: 0.4, methods: ['send_tx', 'tx'] },
  { errorRate: 0.3, latencyMs: 60 },
  { tooManyRequestsRate: 0.3 },
  {},
  { refuseRate: 0.4 },
  { latencyMs: 60, errorRate: 0.08, tooManyRequestsRate: 0.08, refuseRate: 0.08, loseAnswerRate: 0.15 },
  { loseAnswerRate: 1, methods: ['send_tx'] },
];

export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { seed, onProgress = () => undefined } = options;
  const started = performance.now();
  const stops: (() => Promise<void>)[] = [];
  try {
    await loadVrf();
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-soak-'));
    stops.push(() => rm(folder, { recursive: true }));
    // All challenges use one block, so it must not become too old.
    const chain = await startBalancedChain({ blockTimeMs: BLOCK_TIME_MS, maxBlockAge: 1_000_000 });
    stops.push(() => chain.stop());
    const privateKeys = await makeRelayerKeys(chain.url, options.keys);
    const rpc = createRpcClient({ urls: chain.url });
    const faults = new Faults(chain.url);
    const transactions = new Set<string>();
    const relays = new RelayFleet({
      chainUrls: chain.urls,
      privateKeys,
      folder,
      ...(options.redisUrl && { env: { REDIS_URL: options.redisUrl } }),
      onLog: ({ event, transactionHash }) => {
        if (event === 'registration_sent') transactions.add(String(transactionHash));
      },
    });
    stops.push(() => relays.stop());
    await relays.start(options.relays);
    const block = await rpc.block();
    const prepaidYocto = await measurePrepaid(chain.url, relays.urls, seed, block);
    transactions.clear();
    const before = await takeSnapshot(chain.url);

    const wishes = await storm(options, { faults, relays, block, onProgress });
    const open = wishes.filter((wish) => wish.state === 'open');
    const answers = countBy(wishes.flatMap((wish) => wish.answers));
    onProgress(`faults cleared; ${open.length} of ${wishes.length} are open`);
    await settle(open, relays.urls, options.atATime);
    const changed = await askAgain(wishes, relays.urls, options.atATime);
    const leftovers = await relays.leftovers();
    await relays.stop();
    onProgress('auditing');
    const result = await audit({ chainUrl: chain.url, rpc, before, prepaidYocto, wishes, transactions });
    return {
      ...result,
      violations: [...result.violations, ...changed, ...leftovers, ...relays.surprises],
      seed,
      seconds: (performance.now() - started) / 1000,
      clients: { ...zeroes(KINDS), ...countBy(wishes.map((wish) => wish.kind)) },
      answers,
      granted: countGranted(wishes),
      refused: wishes.filter((wish) => wish.state === 'refused').length,
      openAtTheEnd: open.length,
      endings: relays.endings,
      longestStopSeconds: relays.longestStopSeconds,
      faults: faults.hits,
    };
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

interface Stormed {
  readonly faults: Faults;
  readonly relays: RelayFleet;
  /** The block of all challenges. */
  readonly block: BlockView;
  readonly onProgress: (line: string) => void;
}

/** Runs the clients while weather and relays change, then clears the faults and waits for the relays. */
async function storm(
  { seed, goesOn, atATime, clientsPerWeather, clientsPerEnding }: SoakOptions,
  { faults, relays, block, onProgress }: Stormed,
): Promise<Wish[]> {
  const wishes: Wish[] = [];
  const endings: Promise<void>[] = [];
  let begun = 0;
  const client = async () => {
    while (goesOn(begun)) {
      const index = begun;
      begun += 1;
      const own = makeWishes(seed, index, block);
      wishes.push(...own);
      if (index % clientsPerWeather === 0) {
        const weather = WEATHERS[(index / clientsPerWeather) % WEATHERS.length];
        await faults.set({ ...weather, seed: (seed + index) % 2 ** 32 });
      }
      if (index % clientsPerEnding === clientsPerEnding - 1) {
        const relay = randomOf(seed, `ending ${index}`).between(0, relays.urls.length - 1);
        const isEven = Math.floor(index / clientsPerEnding) % 2 === 0;
        endings.push(relays.restart(relay, isEven ? 'SIGKILL' : 'SIGTERM'));
        onProgress(`${countGranted(wishes)} registered`);
      }
      await ask(seed, index, own, relays.urls);
    }
  };
  await Promise.all(Array.from({ length: atATime }, client));
  await faults.clear();
  await Promise.all(endings);
  return wishes;
}

/** Registers one account without faults, to measure what the registry keeps of it. */
async function measurePrepaid(
  chainUrl: string,
  urls: readonly string[],
  seed: number,
  block: BlockView,
): Promise<bigint> {
  const before = await takeSnapshot(chainUrl);
  const [wish] = wishesFor('plain', nameOf(seed, MAX_CLIENTS - 1), block);
  await askOnce(wish!, urls[0]!);
  if (wish?.state !== 'granted') throw new Error(`the first registration failed: ${wish?.lastError}`);
  return prepaidBetween(before, await takeSnapshot(chainUrl));
}

/** Repeats open requests until they settle. The audit reports those that never do. */
async function settle(open: readonly Wish[], urls: readonly string[], atATime: number): Promise<void> {
  await inParallel(open, atATime, (wish) => askUntilSettled(wish, (turn) => urls[turn % urls.length]!));
}

/** Asks until the answer is a success or a refusal, as a client does whom a relay tells that another one works on its request. */
async function askUntilSettled(wish: Wish, urlOf: (turn: number) => string): Promise<void> {
  for (let turn = 0; turn < SETTLE_TRIES && wish.state === 'open'; turn += 1) {
    if (turn > 0) await sleep(SETTLE_PAUSE_MS);
    await askOnce(wish, urlOf(turn));
  }
}

/** Repeats every request at every relay, and returns the answers that changed. */
async function askAgain(
  wishes: readonly Wish[],
  urls: readonly string[],
  atATime: number,
): Promise<string[]> {
  const changed: string[] = [];
  await inParallel(wishes, atATime, async (wish) => {
    for (const url of urls) {
      const again: Wish = { ...wish, state: 'open', answers: [], lastError: '' };
      await askUntilSettled(again, () => url);
      if (again.state !== wish.state) {
        const now = again.lastError || again.answers.join();
        changed.push(`${wish.accountId} was ${wish.state} to its ${wish.kind}; now: ${now}`);
      }
    }
  });
  return changed;
}

function countGranted(wishes: readonly Wish[]): number {
  return wishes.filter((wish) => wish.state === 'granted').length;
}

function countBy(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

function zeroes<K extends string>(names: readonly K[]): Record<K, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<K, number>;
}
