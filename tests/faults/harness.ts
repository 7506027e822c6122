// Makes faults out of a clean run: every call that a flow makes is broken once in every way, and the page is left at it.
import type { PasskeyManagerConfig, ResumeResult } from 'latchkey';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { addVirtualPasskey, type VirtualPasskey } from '../../demo/stack/browser.js';
import { type Fault, type FaultProxy, startFaultProxy } from '../../demo/stack/fault-proxy.js';
import type { LocalStack } from '../../demo/stack/local-stack.js';
import { REGISTRY } from '../../demo/stack/services.js';
import type { FacadePage } from '../e2e/facade-page/main.js';
import { greet, loggedIn } from './steps.js';

declare const facade: FacadePage;

/** What a flow answers. */
export interface Outcome {
  readonly success: boolean;
  readonly error?: string | undefined;
}

/** One page with its own passkey, its own account name and its own way to chain and relay. */
export interface World {
  readonly page: Page;
  readonly stack: LocalStack;
  readonly accountId: string;
  readonly passkey: VirtualPasskey;
  /** Whatever a flow keeps between its steps. */
  readonly notes: Map<string, string>;
  /** What the visit began with: the journal of the one before, taken up. */
  readonly resumed: ResumeResult;
  /** Opens the page as a visitor does. */
  load(): Promise<void>;
  /** Leaves the page and its data; the passkey stays, as in another browser that it was synced to. */
  forget(): Promise<void>;
  /** A page in another browser, with a passkey and data of its own, that nothing disturbs. */
  openPartner(): Promise<Page>;
  /** The one that was opened. */
  readonly partner: Page;
}

/** A flow whose calls are to be broken. */
export interface FaultFlow {
  readonly name: string;
  /** What its page is configured with besides the defaults. */
  readonly config?: Partial<PasskeyManagerConfig>;
  /**
   * Calls that are made over and over until something changes, by how many of each are broken: the first ones of a
   * visit. A later one is the same question again.
   */
  readonly polls?: Readonly<Record<string, number>>;
  /** Its cases run one after the other: they would see each other's work. */
  readonly isAlone?: boolean;
  /** Brings the world to where the flow begins. Nothing is broken yet. */
  prepare(world: World): Promise<void>;
  /** One try. A failure is an outcome. */
  run(world: World): Promise<Outcome>;
  /** Whether a later try's failure says that the earlier one had done the work. */
  isDone?(outcome: Outcome): boolean;
  /** Throws unless the chain shows the work done, once, and nothing else. */
  verify(world: World): Promise<void>;
}

/** The call of a clean run: the k-th of its name to this service. */
export interface RecordedCall {
  readonly service: 'chain' | 'relay';
  readonly name: string;
  readonly nth: number;
}

const SLOW_MS = 1_500;
const MAX_TRIES = 5;
const BETWEEN_TRIES_MS = 400;

/** Every way in which a call goes wrong, `left by a reload` being a page that is left while its call is under way. */
export const FAULTS = {
  /** What ends a call before it has an effect: the call, and what is called of that name after it, in this or a later try. */
  'refused, then answered 500, then 429': [
    { kind: 'refuse' },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 429 },
  ],
  slow: [{ kind: 'delay', ms: SLOW_MS }],
  'answered but lost': [{ kind: 'drop-answer' }],
  'left by a reload': [{ kind: 'drop-answer' }],
} as const satisfies Record<string, readonly Fault[]>;
export type FaultName = keyof typeof FAULTS;

/** A world with its means to break things. It is used for one case after the other: see `begin`. */
class Bench implements World {
  readonly notes = new Map<string, string>();
  accountId = '';
  #partner: Page | undefined;
  resumed: ResumeResult = { committed: [], dropped: [], pending: [], mismatched: [] };

  private constructor(
    readonly page: Page,
    readonly passkey: VirtualPasskey,
    readonly stack: LocalStack,
    readonly proxies: Readonly<Record<RecordedCall['service'], FaultProxy>>,
    private readonly url: string,
    private readonly context: BrowserContext,
  ) {}

  static async open(
    browser: Browser,
    stack: LocalStack,
    pageUrl: string,
    config: Partial<PasskeyManagerConfig> = {},
  ): Promise<Bench> {
    // What is shared with other worlds is the chain and the relay, past every proxy that makes faults.
    const [chain, relay] = await Promise.all([
      startFaultProxy(stack.chain.url),
      startFaultProxy(stack.relay.url),
    ]);
    const context = await browser.newContext();
    const page = await context.newPage();
    const passkey = await addVirtualPasskey(page);
    const query = new URLSearchParams({
      chain: chain.url,
      relay: relay.url,
      config: JSON.stringify(config),
    });
    const url = `${pageUrl}?${query}`;
    return new Bench(page, passkey, stack, { chain, relay }, url, context);
  }

  /** A visitor of another name, to whom nothing is left of the one before. */
  async begin(username: string): Promise<void> {
    this.accountId = `${username}.${REGISTRY}`;
    this.notes.clear();
    for (const proxy of Object.values(this.proxies)) proxy.heal();
    await this.#partner?.context().close();
    this.#partner = undefined;
    await this.passkey.renew();
    await this.forget();
  }

  async load(): Promise<void> {
    await this.page.goto(this.url);
    this.resumed = await this.page.evaluate(() => facade.manager.init());
  }

  async forget(): Promise<void> {
    // From outside: a page that is open may be writing.
    await this.page.goto('about:blank');
    await this.passkey.clearSiteData(new URL(this.url).origin);
    await this.load();
  }

  async openPartner(): Promise<Page> {
    const { chain, relay } = this.stack;
    const url = new URL(this.url);
    url.searchParams.set('chain', chain.url);
    url.searchParams.set('relay', relay.url);
    const context = await this.context.browser()!.newContext();
    const page = await context.newPage();
    await addVirtualPasskey(page);
    await page.goto(url.href);
    this.#partner = page;
    return page;
  }

  get partner(): Page {
    if (!this.#partner) throw new Error('This world has no partner.');
    return this.#partner;
  }

  /** The calls since `start`, in the order of their arrival. */
  recorded(start: number): RecordedCall[] {
    const all = (['chain', 'relay'] as const).flatMap((service) =>
      this.proxies[service].calls
        .filter(({ at }) => at >= start)
        .map(({ name, at }) => ({ service, name, at })),
    );
    const seen = new Map<string, number>();
    return all
      .sort((a, b) => a.at - b.at)
      .map(({ service, name }) => {
        const nth = (seen.get(`${service} ${name}`) ?? 0) + 1;
        seen.set(`${service} ${name}`, nth);
        return { service, name, nth };
      });
  }

  async close(): Promise<void> {
    await Promise.all([this.context.close(), this.#partner?.context().close()]);
    await Promise.all([this.proxies.chain.close(), this.proxies.relay.close()]);
  }
}

export interface Faulted {
  /** The calls of the clean run, of polls the first ones. */
  readonly recorded: readonly RecordedCall[];
  /** The calls that were broken. */
  readonly broken: readonly RecordedCall[];
  /** Those that the run did not make that time: a renewal behind, a poll. */
  readonly unmet: readonly RecordedCall[];
  /** What went wrong, one sentence for each case. */
  readonly problems: readonly string[];
}

/** Runs the flow once undisturbed, then once for every call that it made, with that call broken. */
export async function breakEveryCall(
  flow: FaultFlow,
  faultName: FaultName,
  open: () => Promise<Bench>,
  atOnce: number,
): Promise<Faulted> {
  const idle: Bench[] = [];
  let count = 0;
  const withWorld = async <T>(work: (bench: Bench) => Promise<T>): Promise<T> => {
    const bench = idle.pop() ?? (await open());
    try {
      await bench.begin(`f${Date.now().toString(36)}${(count++).toString(36)}${process.pid.toString(36)}`);
      const done = await work(bench);
      idle.push(bench);
      return done;
    } catch (error) {
      // Who knows what still runs in it.
      await bench.close();
      throw error;
    }
  };

  const recorded = await withWorld(async (bench) => {
    await flow.prepare(bench);
    const start = Date.now();
    const outcome = await flow.run(bench);
    if (!outcome.success) throw new Error(`The clean run failed: ${outcome.error}`);
    const calls = bench.recorded(start);
    await flow.verify(bench);
    return calls.filter(({ name, nth }) => nth <= (flow.polls?.[name] ?? Number.POSITIVE_INFINITY));
  });

  const broken: RecordedCall[] = [];
  const unmet: RecordedCall[] = [];
  const problems: string[] = [];
  const queue = [...recorded];
  const work = async (): Promise<void> => {
    for (let call = queue.shift(); call; call = queue.shift()) {
      const which = call;
      let faults: readonly Fault[] = FAULTS[faultName];
      // What a case left over of a row is made in the next one.
      const problem = await (async () => {
        for (let isFirst = true; faults.length > 0; isFirst = false) {
          const met = await withWorld((bench) =>
            runBroken(flow, bench, which, faults, faultName === 'left by a reload'),
          );
          if (isFirst) (met > 0 ? broken : unmet).push(which);
          if (met === 0) return undefined;
          faults = faults.slice(met);
        }
        return undefined;
      })().catch((error: unknown) => error);
      if (problem)
        problems.push(`${which.service} ${which.name} #${which.nth} ${faultName}: ${String(problem)}`);
    }
  };
  await Promise.all(Array.from({ length: flow.isAlone ? 1 : atOnce }, work));
  await Promise.all(idle.map((bench) => bench.close()));
  return { recorded, broken, unmet, problems };
}

/** How many of the faults came to pass: the first on this call, the others on what is called of its name after it. */
async function runBroken(
  flow: FaultFlow,
  bench: Bench,
  { service, name, nth }: RecordedCall,
  faults: readonly Fault[],
  isLeft: boolean,
): Promise<number> {
  await flow.prepare(bench);
  const proxy = bench.proxies[service];
  let met = 0;
  let left: Promise<void> | undefined;
  const onMet = (): void => {
    met += 1;
    if (!isLeft) return;
    left = bench.load();
    // Awaited once the try has ended.
    left.catch(() => undefined);
  };
  // The newest is taken first, and only that one counts the calls that are spared.
  for (const [index, fault] of [...faults.entries()].reverse())
    proxy.fail(name, fault, 1, { skip: index === 0 ? nth - 1 : 0, onMet });

  let outcome = await tryOnce(flow, bench);
  if (left) {
    await left;
    outcome = { success: false, error: 'the page was left' };
  }
  for (let tries = 1; !outcome.success; tries += 1) {
    if (tries > 1 && flow.isDone?.(outcome)) break;
    if (tries === MAX_TRIES) throw new Error(`failed ${tries} times, at last with: ${outcome.error}`);
    if (tries > 1) await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    outcome = await tryOnce(flow, bench);
  }
  proxy.heal();
  await flow.verify(bench);
  await assertUsable(bench);
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

export const openBench = Bench.open;
