/**
 * A soak: relays register accounts while everything goes wrong that can, and afterwards the chain is audited.
 *
 * 1. A chain, and relays on one set of keys.
 * 2. Clients ask, each in its way (clients.ts). With every few clients the weather changes: the chain answers late,
 *    badly, or not at all. Now and then a relay is killed or stopped, and begun again.
 * 3. Everything is healed. What is still open is asked again, until it is settled.
 * 4. Everybody asks every relay once more: a success must still be one, a refusal a refusal, and neither may cost
 *    anything. Then the relays may hold nothing.
 * 5. The chain is audited (audit.ts).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChain } from '../../demo/stack/services.js';
import { type BlockView, createRpcClient } from '../../ts/src/near/index.js';
import { loadVrf } from '../../ts/src/server/testing/registration.js';
import { makeRelayerKeys } from '../../ts/src/server/testing/relayer-keys.js';
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
  /** Says whether the client of this number still begins. */
  readonly goesOn: (index: number) => boolean;
  /** How many clients ask at a time. */
  readonly atATime: number;
  readonly relays: number;
  readonly keys: number;
  /** With every so many clients a relay ends. */
  readonly clientsPerEnding: number;
  /** With every so many clients the weather changes. */
  readonly clientsPerWeather: number;
  readonly onProgress?: (line: string) => void;
}

export interface SoakReport extends Audit {
  readonly seed: number;
  readonly seconds: number;
  readonly clients: Readonly<Record<Kind, number>>;
  /** Each kind of answer with how often it came, the audit's own questions apart. */
  readonly answers: Readonly<Record<string, number>>;
  readonly granted: number;
  readonly refused: number;
  /** Wishes that were open when everything was healed. */
  readonly openAtTheEnd: number;
  readonly endings: Readonly<Record<Ending, number>>;
  readonly longestStopSeconds: number;
  readonly faults: Readonly<FaultHits>;
}

const BLOCK_TIME_MS = 100;
const SETTLE_TRIES = 40;
const SETTLE_PAUSE_MS = 1_000;

/** What the chain does to the relays' requests, in turns. */
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
    // Challenges are made from one block, so none may grow old.
    const chain = await startChain({ port: 0, blockTimeMs: BLOCK_TIME_MS, maxBlockAge: 1_000_000 });
    stops.push(() => chain.stop());
    const privateKeys = await makeRelayerKeys(chain.url, options.keys);
    const rpc = createRpcClient({ urls: chain.url });
    const faults = new Faults(chain.url);
    const transactions = new Set<string>();
    const relays = new RelayFleet({
      chainUrl: chain.url,
      privateKeys,
      folder,
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
    onProgress(`healed; ${open.length} of ${wishes.length} are open`);
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
  /** The block that challenges are made from. */
  readonly block: BlockView;
  readonly onProgress: (line: string) => void;
}

/** Lets the clients ask while weather and relays change; everything is healed when it is over. */
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

/** Registers one account in peace, to see what the registry keeps of it. */
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

/** Asks for what is open until it is settled. The audit tells of what never is. */
async function settle(open: readonly Wish[], urls: readonly string[], atATime: number): Promise<void> {
  await inParallel(open, atATime, async (wish) => {
    for (let turn = 0; turn < SETTLE_TRIES && wish.state === 'open'; turn += 1) {
      if (turn > 0) await sleep(SETTLE_PAUSE_MS);
      await askOnce(wish, urls[turn % urls.length]!);
    }
  });
}

/** Asks every relay for everything once more, and tells what is no longer so. */
async function askAgain(
  wishes: readonly Wish[],
  urls: readonly string[],
  atATime: number,
): Promise<string[]> {
  const changed: string[] = [];
  await inParallel(wishes, atATime, async (wish) => {
    for (const url of urls) {
      const again: Wish = { ...wish, state: 'open', answers: [], lastError: '' };
      await askOnce(again, url);
      if (again.state !== wish.state) {
        const now = again.lastError || again.answers.join();
        changed.push(`${wish.accountId} was ${wish.state} to its ${wish.kind}; asked again: ${now}`);
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
