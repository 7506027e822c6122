// Breaks every call of a flow once in each way, and leaves the page once at each. The calls are those of a clean run.

import type { PasskeyManagerConfig } from 'latchkey';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Fault } from '../../demo/stack/fault-proxy.js';
import { type FaultStack, startFaultStack } from './stack.js';
import { greet, loggedIn } from './steps.js';
import { type RecordedCall, World } from './world.js';

/** What a flow answers. */
export interface Outcome {
  readonly success: boolean;
  readonly error?: string | undefined;
}

/** A flow whose calls are to be broken. */
export interface FaultFlow {
  readonly name: string;
  /** What its page is configured with on top of the defaults. */
  readonly config?: Partial<PasskeyManagerConfig>;
  /**
   * The calls that a flow repeats until something changes, with the number of each that are broken: the first ones. A
   * later one asks the same question again.
   */
  readonly polls?: Readonly<Record<string, number>>;
  /** How many of its cases run at a time. Default {@link AT_ONCE}. */
  readonly atOnce?: number;
  /** Makes what the cases of one world share, once. Without it each case begins with a new visitor. */
  setUp?(world: World): Promise<void>;
  /** Brings the world to where the flow begins. Nothing is broken yet. */
  prepare?(world: World): Promise<void>;
  /** One try. A failure is an outcome. */
  run(world: World): Promise<Outcome>;
  /** Whether a later try's failure says that the earlier one had done the work. */
  isDone?(outcome: Outcome): boolean;
  /** Throws unless the chain shows the work done, once, and nothing else. */
  verify(world: World): Promise<void>;
}

const SLOW_MS = 1_500;
const MAX_TRIES = 5;
const BETWEEN_TRIES_MS = 400;
/** Most of a case is waiting for blocks. */
const AT_ONCE = 8;
const TEST_TIMEOUT_MS = 600_000;

/** The ways in which a call goes wrong. */
const FAULTS = {
  // What ends a call before it has an effect: this call, and the next ones of its name, in this try or a later one.
  'refused, then answered 500, then 429': [
    { kind: 'refuse' },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 429 },
  ],
  slow: [{ kind: 'delay', ms: SLOW_MS }],
  'answered but lost': [{ kind: 'drop-answer' }],
  // The page is left while the call is under way.
  'left by a reload': [{ kind: 'drop-answer' }],
} as const satisfies Record<string, readonly Fault[]>;
type FaultName = keyof typeof FAULTS;

/** What a wallet knows before it signs, and reads again when it is old. */
const READ_AHEAD: ReadonlySet<string> = new Set(['query:view_access_key', 'query:view_account', 'block']);

/**
 * Whatever call is broken, the flow completes, or completes when it is run again; the account keeps a usable key; and
 * nothing is paid twice. One test for each flow and fault.
 */
export function outliveFaults(flows: readonly FaultFlow[]): void {
  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack();
  });
  afterAll(() => stack?.stop());

  for (const flow of flows) {
    describe(flow.name, () => {
      let worlds: Worlds;
      let recorded: readonly RecordedCall[];
      beforeAll(async () => {
        worlds = new Worlds(() => World.open(stack, flow.config), flow);
        recorded = await worlds.with((world) => runClean(flow, world));
      }, TEST_TIMEOUT_MS);
      afterAll(() => worlds?.close());

      for (const fault of Object.keys(FAULTS) as FaultName[]) {
        test.concurrent(
          `outlives each of its calls being ${fault}`,
          async ({ expect }) => {
            expect(recorded.length, 'calls of the clean run').toBeGreaterThan(0);
            const { broken, unmet, problems } = await breakEveryCall(flow, fault, recorded, worlds);
            expect(problems).toEqual([]);
            expect(broken.length + unmet.length, 'cases').toBe(recorded.length);
            // How often a flow reads ahead or polls depends on how slow it is, so some of that may not come again.
            const isOptional = ({ name, nth }: RecordedCall): boolean =>
              READ_AHEAD.has(name) || (nth > 1 && name in (flow.polls ?? {}));
            const [optional, others] = [true, false].map((is) =>
              unmet.filter((call) => isOptional(call) === is),
            );
            expect(others?.length, `calls not met again: ${JSON.stringify(others)}`).toBeLessThanOrEqual(1);
            expect(optional?.length, `reads not met again: ${JSON.stringify(optional)}`).toBeLessThanOrEqual(
              Math.ceil(recorded.length / 4),
            );
          },
          TEST_TIMEOUT_MS,
        );
      }
    });
  }
}

/** So much work of a kind at a time; the rest waits. */
class Places {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

/** Few cases begin at a time: what a visitor does before a fault, a registration say, has to succeed in its time. */
const beginnings = new Places(4);

/** The worlds of a flow's cases. One that was used serves the next case; one whose case failed does not. */
class Worlds {
  readonly #open: () => Promise<World>;
  readonly #flow: FaultFlow;
  readonly #idle: World[] = [];
  readonly #places: Places;

  constructor(open: () => Promise<World>, flow: FaultFlow) {
    this.#open = open;
    this.#flow = flow;
    this.#places = new Places(flow.atOnce ?? AT_ONCE);
  }

  /** Works with a world at the flow's beginning; waits while all are in use. */
  with<T>(work: (world: World) => Promise<T>): Promise<T> {
    return this.#places.during(async () => {
      const idle = this.#idle.pop();
      const world = idle ?? (await this.#open());
      try {
        await beginnings.during(() => this.#begin(world, idle === undefined));
        const done = await work(world);
        this.#idle.push(world);
        return done;
      } catch (error) {
        // Its page may still be at work.
        await world.close();
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((world) => world.close()));
  }

  async #begin(world: World, isNew: boolean): Promise<void> {
    const { setUp, prepare } = this.#flow;
    if (setUp && !isNew) world.beginAgain();
    else {
      await world.beginNew(newName());
      await setUp?.(world);
    }
    await prepare?.(world);
  }
}

let names = 0;
const newName = (): string =>
  `f${Date.now().toString(36)}${(names++).toString(36)}${process.pid.toString(36)}`;

/** The calls that the flow makes when nothing is broken, of polls the first ones. */
async function runClean(flow: FaultFlow, world: World): Promise<RecordedCall[]> {
  const start = Date.now();
  const outcome = await flow.run(world);
  if (!outcome.success) throw new Error(`The clean run failed: ${outcome.error}`);
  const calls = world.recorded(start);
  await flow.verify(world);
  return calls.filter(({ name, nth }) => nth <= (flow.polls?.[name] ?? Number.POSITIVE_INFINITY));
}

interface Faulted {
  /** The calls that were broken. */
  readonly broken: readonly RecordedCall[];
  /** Those that the run did not make this time: a read ahead, a poll. */
  readonly unmet: readonly RecordedCall[];
  /** What went wrong, one sentence for each case. */
  readonly problems: readonly string[];
}

/** Runs the flow once for every recorded call, with that call broken. */
async function breakEveryCall(
  flow: FaultFlow,
  faultName: FaultName,
  recorded: readonly RecordedCall[],
  worlds: Worlds,
): Promise<Faulted> {
  const broken: RecordedCall[] = [];
  const unmet: RecordedCall[] = [];
  const problems: string[] = [];
  const breakOne = async (call: RecordedCall): Promise<void> => {
    let faults: readonly Fault[] = FAULTS[faultName];
    // The faults that a case did not come to are made in the next case.
    for (let isFirst = true; faults.length > 0; isFirst = false) {
      const met = await worlds.with((world) =>
        runBroken(flow, world, call, faults, faultName === 'left by a reload'),
      );
      if (isFirst) (met > 0 ? broken : unmet).push(call);
      if (met === 0) return;
      faults = faults.slice(met);
    }
  };
  await Promise.all(
    recorded.map((call) =>
      breakOne(call).catch((error: unknown) =>
        problems.push(`${call.service} ${call.name} #${call.nth} ${faultName}: ${String(error)}`),
      ),
    ),
  );
  return { broken, unmet, problems };
}

/** How many of the faults happened: the first to this call, the others to the next ones of its name. */
async function runBroken(
  flow: FaultFlow,
  world: World,
  { service, name, nth }: RecordedCall,
  faults: readonly Fault[],
  isLeft: boolean,
): Promise<number> {
  const proxy = world.proxies[service];
  let met = 0;
  let left: Promise<void> | undefined;
  const onMet = (): void => {
    met += 1;
    if (!isLeft) return;
    left = world.load();
    // Awaited once the try has ended.
    left.catch(() => undefined);
  };
  // The proxy takes the newest fault first, and only that one counts the calls to spare.
  for (const [index, fault] of [...faults.entries()].reverse())
    proxy.fail(name, fault, 1, { skip: index === 0 ? nth - 1 : 0, onMet });

  let outcome = await tryOnce(flow, world);
  if (left) {
    await left;
    outcome = { success: false, error: 'the page was left' };
  }
  for (let tries = 1; !outcome.success; tries += 1) {
    if (tries > 1 && flow.isDone?.(outcome)) break;
    if (tries === MAX_TRIES) throw new Error(`failed ${tries} times, at last with: ${outcome.error}`);
    if (tries > 1) await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    outcome = await tryOnce(flow, world);
  }
  proxy.heal();
  await flow.verify(world);
  await assertUsable(world);
  return met;
}

async function tryOnce(flow: FaultFlow, world: World): Promise<Outcome> {
  try {
    return await flow.run(world);
  } catch (error) {
    return { success: false, error: error instanceof Error ? error.message.split('\n')[0] : String(error) };
  }
}

/** The account can be logged in to, and its key signs what the chain takes. */
async function assertUsable(world: World): Promise<void> {
  const login = await loggedIn(world);
  const used = login.success ? await greet(world) : login;
  if (!used.success) throw new Error(`afterwards the account could not be used: ${used.error}`);
}
