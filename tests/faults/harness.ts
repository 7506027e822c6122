// Breaks the calls of a flow, each once in each way, and leaves the page at each. A clean run records the calls.

import type { LatchkeyErrorCode, PasskeyManagerConfig } from 'latchkey';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { CHAIN_NETWORK } from '../../dev/services/services.js';
import type { Fault } from '../support/fault-proxy.js';
import { IS_THOROUGH } from '../support/thorough.js';
import { type Places, placesFor } from './places.js';
import { type FaultStack, type FaultStackOptions, startFaultStack } from './stack.js';
import { greet, loggedIn } from './steps.js';
import { type RecordedCall, World } from './world.js';

/** A flow's result. */
export interface Outcome {
  readonly success: boolean;
  readonly error?: string | undefined;
  readonly errorCode?: LatchkeyErrorCode | undefined;
}

/** A flow whose calls the harness breaks. */
export interface FaultFlow {
  readonly name: string;
  /** Its page's configuration on top of the defaults. */
  readonly config?: Partial<PasskeyManagerConfig>;
  /**
   * The calls that a flow repeats until something changes, and how many of each the harness breaks, from the first on. A
   * later one repeats the same question.
   */
  readonly polls?: Readonly<Record<string, number>>;
  /** The number of its concurrent cases. Default {@link AT_ONCE}. */
  readonly atOnce?: number;
  /** The faults that its calls meet. Default: all. */
  readonly faults?: readonly FaultName[];
  /** Creates once what the cases of one world share. Without it each case begins with a new visitor. */
  setUp?(world: World): Promise<void>;
  /** Brings the world to the start of the flow, without faults. */
  prepare?(world: World): Promise<void>;
  /** One try. A failure counts as an outcome. */
  run(world: World): Promise<Outcome>;
  /** Whether a later try's failure shows that the earlier one did the work. */
  isDone?(outcome: Outcome): boolean;
  /** Throws unless the chain shows the work done exactly once, and nothing else. */
  verify(world: World): Promise<void>;
}

const SLOW_MS = 1_500;
const MAX_TRIES = 5;
const BETWEEN_TRIES_MS = 400;
/** A case mostly waits for blocks. */
const AT_ONCE = 24;
const TEST_TIMEOUT_MS = 600_000;

/** The ways in which a call goes wrong. */
const FAULTS = {
  // Ends a call before it has an effect: this one and the next ones of its name, in this try or a later one.
  'refused, then answered 500, then 429': [
    { kind: 'refuse' },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 429 },
  ],
  slow: [{ kind: 'delay', ms: SLOW_MS }],
  'answered but lost': [{ kind: 'drop-answer' }],
  // Leaves the page during the call.
  'left by a reload': [{ kind: 'drop-answer' }],
} as const satisfies Record<string, readonly Fault[]>;
export type FaultName = keyof typeof FAULTS;
const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** Data that a wallet reads before it signs, and again when it is old. */
const READ_AHEAD: ReadonlySet<string> = new Set(['query:view_access_key', 'query:view_account', 'block']);

export interface FaultOptions extends Pick<FaultStackOptions, 'appKeyCap'> {
  /** The options of how the chain's nodes behave; CHAIN_NETWORK when absent. */
  readonly network?: readonly string[];
  /** Runs the flows at the same time. Default: one after the other. */
  readonly together?: boolean;
}

/**
 * With any call broken, the flow completes, directly or when repeated; the account keeps a usable key; and nothing is
 * paid twice. One test for each flow and fault.
 */
export function outliveFaults(
  flows: readonly FaultFlow[],
  { network = CHAIN_NETWORK, together = false, ...relay }: FaultOptions = {},
): void {
  const isLagging = network.includes('--lag');
  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack(network, relay);
  });
  afterAll(() => stack?.stop());

  for (const flow of flows) {
    describe(flow.name, { concurrent: together }, () => {
      let worlds: Worlds;
      let recorded: readonly RecordedCall[];
      beforeAll(async () => {
        worlds = new Worlds(() => World.open(stack, flow.config), flow);
        recorded = await worlds.with((world) => runClean(flow, world));
      }, TEST_TIMEOUT_MS);
      afterAll(() => worlds?.close());

      test('completes without a fault', ({ expect }) => {
        expect(recorded.length, 'calls').toBeGreaterThan(0);
      });

      const faults = flow.faults ?? FAULT_NAMES;
      for (const [turn, fault] of faults.entries()) {
        test.concurrent(
          `survives ${IS_THOROUGH ? 'each' : 'some'} of its calls being ${fault}`,
          async ({ expect }) => {
            // Every call meets every fault, or one of them, in turn.
            const calls = recorded.filter((_, index) => IS_THOROUGH || index % faults.length === turn);
            const { broken, unmet, problems } = await breakCalls(flow, fault, calls, worlds);
            expect(problems).toEqual([]);
            expect(broken.length + unmet.length, 'cases').toBe(calls.length);
            // The number of early reads and polls depends on the speed, so some may not recur. Where nodes lag, the number of
            // further looks and sends depends on the nodes that a page meets, so there it says nothing.
            const isOptional = ({ name, nth }: RecordedCall): boolean =>
              READ_AHEAD.has(name) ||
              (nth > 1 && (isLagging || name in (flow.polls ?? {}))) ||
              (isLagging && name === 'tx');
            const [optional, others] = [true, false].map((is) =>
              unmet.filter((call) => isOptional(call) === is),
            );
            expect(others?.length, `calls not met again: ${JSON.stringify(others)}`).toBeLessThanOrEqual(1);
            if (isLagging) return;
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

/** Few cases begin at a time: a visitor's steps before a fault, such as a registration, have to finish in time. */
const beginnings = placesFor(4);

/** The worlds of a flow's cases. A case reuses a world unless the previous case in it failed. */
class Worlds {
  readonly #open: () => Promise<World>;
  readonly #flow: FaultFlow;
  readonly #idle: World[] = [];
  readonly #places: Places<undefined>;

  constructor(open: () => Promise<World>, flow: FaultFlow) {
    this.#open = open;
    this.#flow = flow;
    this.#places = placesFor(flow.atOnce ?? AT_ONCE);
  }

  /** Runs work with a world at the flow's start; waits while all are in use. */
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

/** The flow's calls without faults; only the first ones of a poll. */
async function runClean(flow: FaultFlow, world: World): Promise<RecordedCall[]> {
  const start = Date.now();
  const outcome = await flow.run(world);
  if (!outcome.success) throw new Error(`The clean run failed: ${outcome.error}`);
  const calls = world.recorded(start);
  await flow.verify(world);
  return calls.filter(({ name, nth }) => nth <= (flow.polls?.[name] ?? Number.POSITIVE_INFINITY));
}

interface Faulted {
  /** The broken calls. */
  readonly broken: readonly RecordedCall[];
  /** Recorded calls that this run did not make: an early read, a poll. */
  readonly unmet: readonly RecordedCall[];
  /** The failures, one sentence for each case. */
  readonly problems: readonly string[];
}

/** Runs the flow once for each of these calls, with that call broken. */
async function breakCalls(
  flow: FaultFlow,
  faultName: FaultName,
  calls: readonly RecordedCall[],
  worlds: Worlds,
): Promise<Faulted> {
  const broken: RecordedCall[] = [];
  const unmet: RecordedCall[] = [];
  const problems: string[] = [];
  const breakOne = async (call: RecordedCall): Promise<void> => {
    let faults: readonly Fault[] = FAULTS[faultName];
    // The next case makes the faults that a case did not reach.
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
    calls.map((call) =>
      breakOne(call).catch((error: unknown) =>
        problems.push(`${call.service} ${call.name} #${call.nth} ${faultName}: ${String(error)}`),
      ),
    ),
  );
  return { broken, unmet, problems };
}

/** The number of faults that occurred: the first in this call, the others in the next ones of its name. */
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
  // The proxy applies the newest fault first, and only that one counts the spared calls.
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

/** Expects a login to succeed, and the chain to accept the account's signature. */
async function assertUsable(world: World): Promise<void> {
  const login = await loggedIn(world);
  const used = login.success ? await greet(world) : login;
  if (!used.success) throw new Error(`afterwards the account could not be used: ${used.error}`);
}
