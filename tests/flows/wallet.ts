// A user's wallet in a page in Node, on the chain and the relay of the test's file.
import type {
  ActionInput,
  ActionResult,
  ConfirmModel,
  Decision,
  LoginState,
  PasskeyManager,
  PasskeyManagerConfig,
} from 'latchkey';
import { test as base, expect, onTestFinished, vi } from 'vitest';
import type { Prompt } from '../../dev/authenticators/authenticator.js';
import { CHAIN_NETWORK, REGISTRY } from '../../dev/services/services.js';
import { CHAIN, type FaultStack, ORIGIN, startFaultStack } from '../faults/stack.js';
import { assertDone } from '../faults/steps.js';
import {
  type Call,
  type Fault,
  type FaultProxy,
  startFaultProxy,
  withoutRepeats,
} from '../support/fault-proxy.js';
import { SHORT_BLOCK_AGE } from '../support/oracle.js';
import { type Facade, NodeBrowser, type UserOptions } from '../support/page/browser.js';
import { previewed } from '../support/previewed.js';
import { NODES_LAG } from '../support/providers.js';

// A test that hangs takes longer than any that is slow on a machine that does other work.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** The wallet's requests during a step. */
export interface Activity {
  readonly prompts: Prompt['kind'][];
  /** Names of the calls to the chain. */
  readonly rpc: string[];
  /** Paths of the calls to the relay. */
  readonly relay: string[];
}

const QUIET_MS = 200;

export interface WalletOptions extends Pick<UserOptions, 'knobs'> {
  readonly config?: Partial<PasskeyManagerConfig>;
  /** The page's origin. */
  readonly origin?: string;
}

/** One user's browser with its own proxies to two nodes and the relay; a page of the wallet is open in it. */
export class Wallet {
  accountId = '';
  /** Every confirmation that was shown, across reloads. */
  readonly shown: ConfirmModel[] = [];
  /** Every line on the console: `level: text`. */
  readonly consoleLines: string[] = [];
  readonly #browser: NodeBrowser;
  readonly #config: PasskeyManagerConfig;
  /** The open page. */
  #page: symbol | undefined;
  #decision: Decision | 'wait' = 'confirm';
  readonly #undecided: (() => void)[] = [];

  private constructor(
    readonly stack: FaultStack,
    /** A fault of both is one of the chain. */
    readonly nodes: readonly [FaultProxy, FaultProxy],
    readonly relay: FaultProxy,
    { config, origin = ORIGIN, knobs = {} }: WalletOptions,
  ) {
    const decide: UserOptions['decide'] = (model, signal) => this.#decide(model, signal);
    this.#browser = new NodeBrowser(stack.bundle, origin, { knobs, decide });
    this.#config = {
      rpcUrl: nodes.map(({ url }) => url),
      contractId: REGISTRY,
      relayer: { url: relay.url },
      keyExport: { sameOrigin: true },
      logLevel: 'warn',
      ...config,
    };
    this.#open();
  }

  static async open(stack: FaultStack, options: WalletOptions = {}): Promise<Wallet> {
    const [first, second, relay] = await Promise.all([
      startFaultProxy(stack.chainUrl),
      startFaultProxy(stack.chainUrl),
      startFaultProxy(stack.relay.url),
    ]);
    return new Wallet(stack, [first, second], relay, options);
  }

  /** The node that the wallet asks first. */
  get chain(): FaultProxy {
    return this.nodes[0];
  }

  /** The open page's. */
  get facade(): Facade {
    return this.#browser.facade;
  }

  get manager(): PasskeyManager {
    return this.facade.manager;
  }

  get authenticator() {
    return this.#browser.authenticator;
  }

  get storage() {
    return this.#browser.storage;
  }

  get clock() {
    return this.#browser.clock;
  }

  /** The prompts so far, across reloads. */
  get prompts(): Prompt['kind'][] {
    return this.authenticator.prompts.map(({ kind }) => kind);
  }

  /** The passkeys that the authenticator holds. */
  get passkeys(): string[] {
    const { made, signalled } = this.authenticator;
    return made.filter((id) => !signalled.includes(id));
  }

  /** How the user answers confirmations; 'wait' leaves them open until this changes or their flow ends. */
  set decision(decision: Decision | 'wait') {
    this.#decision = decision;
    if (decision !== 'wait') for (const decide of this.#undecided.splice(0)) decide();
  }

  /** Registers this account, which also logs it in. */
  async register(accountId: string): Promise<void> {
    const result = await this.manager.registerPasskey(accountId);
    expect(result).toMatchObject({ success: true, nearAccountId: accountId });
    this.accountId = accountId;
  }

  /** Loads the page again. A call of the former page never ends. */
  reload(): void {
    this.leave();
    this.#decision = 'confirm';
    this.#open();
  }

  /** Leaves the page, and keeps its data. */
  leave(): void {
    this.#page = undefined;
    this.#browser.leave();
  }

  /** Leaves the page, clears the site's data, and loads the page again. The passkeys stay. */
  clearSiteData(): void {
    this.leave();
    this.#browser.clearSiteData();
    this.#open();
  }

  logOut(): Promise<void> {
    return this.manager.logoutAndClearVrfSession();
  }

  /** Logs in without a prompt. */
  async logIn(accountId = this.accountId): Promise<void> {
    expect(await this.manager.loginPasskey(accountId)).toMatchObject({
      success: true,
      unlockedBy: 'server-lock',
    });
  }

  state(accountId?: string): Promise<LoginState> {
    return this.manager.getLoginState(accountId);
  }

  /** One action or several as one final transaction of the account. */
  execute(
    receiverId: string,
    actionArgs: ActionInput | ActionInput[],
    nearAccountId = this.accountId,
  ): Promise<ActionResult> {
    const options = { waitUntil: 'FINAL' } as const;
    return this.manager.executeAction({ nearAccountId, receiverId, actionArgs, options });
  }

  /** As {@link execute}; the chain executes it, and moves and changes what the confirmation promised. */
  async executeAsPreviewed(
    receiverId: string,
    actionArgs: ActionInput | ActionInput[],
  ): Promise<ActionResult> {
    let result: ActionResult | undefined;
    const shownBy = async (work: () => Promise<unknown>) => {
      const before = this.shown.length;
      await work();
      return this.shown.slice(before);
    };
    await previewed(this.stack.oracle, shownBy, async () => {
      result = await this.execute(receiverId, actionArgs);
      expect(result).toMatchObject({ success: true, fate: 'executed' });
    });
    return result as ActionResult;
  }

  /** Sets the greeting, which shows that the wallet signs and that the chain accepts it. */
  async greet(greeting: string, nearAccountId = this.accountId): Promise<void> {
    assertDone('The greeting', await this.execute(REGISTRY, greetingOf(greeting), nearAccountId));
  }

  /** Makes the calls of this name fail at both nodes. The result ends that. */
  fail(name: string, fault: Fault): () => void {
    const ends = this.nodes.map((node) => node.fail(name, fault));
    return () => {
      for (const end of ends) end();
    };
  }

  /** Holds the calls of this name at both nodes. The result lets them go on. */
  hold(name: string): () => void {
    const releases = this.nodes.map((node) => node.hold(name));
    return () => {
      for (const release of releases) release();
    };
  }

  heal(): void {
    for (const proxy of this.#services) proxy.heal();
  }

  /** Nodes and relay are down. */
  refuseAll(): void {
    for (const proxy of this.#services) proxy.fail('*', { kind: 'refuse' });
  }

  get #services(): readonly FaultProxy[] {
    return [...this.nodes, this.relay];
  }

  /** How many calls of this name both nodes got. */
  calls(name: string): number {
    return this.nodes.flatMap(({ calls }) => calls).filter((call) => call.name === name).length;
  }

  /** How each transaction was sent, once, however often the wallet sent its bytes. */
  get sent(): { readonly wait_until: string }[] {
    return withoutRepeats(this.#chainCalls())
      .filter(({ name }) => name === 'send_tx')
      .map(({ body }) => (JSON.parse(body) as { params: { wait_until: string } }).params);
  }

  /** Runs a step, waits until the network is quiet, and returns the requests since its start. */
  async during(step: () => Promise<unknown>): Promise<Activity> {
    await this.#untilQuiet();
    const [prompts, rpc, relay] = [this.prompts.length, this.#chainCalls().length, this.relay.calls.length];
    await step();
    await this.#untilQuiet();
    const namesOf = (calls: readonly Call[]) => calls.map(({ name }) => name);
    return {
      prompts: this.prompts.slice(prompts),
      rpc: namesOf(withoutRepeats(this.#chainCalls().slice(rpc))),
      relay: namesOf(this.relay.calls.slice(relay)),
    };
  }

  async close(): Promise<void> {
    this.leave();
    this.decision = 'cancel';
    await Promise.all([...this.nodes, this.relay].map((proxy) => proxy.close()));
  }

  #open(): void {
    const page = Symbol('page');
    this.#page = page;
    this.#browser.open(this.#configOf(page));
  }

  /** Another tab of the same browser, which ends with the open page. */
  openTab(): Facade {
    if (!this.#page) throw new Error('no page is open');
    return this.#browser.openTab(this.#configOf(this.#page));
  }

  #configOf(page: symbol): PasskeyManagerConfig {
    // The code of a page that was left may go on here, and no user sees its console.
    const line =
      (level: string) =>
      (...texts: readonly unknown[]): void => {
        if (this.#page === page) this.consoleLines.push(`${level}: ${texts.join(' ')}`);
      };
    const logger = { debug: line('debug'), info: line('info'), warn: line('warning'), error: line('error') };
    return { ...this.#config, logger };
  }

  #chainCalls(): Call[] {
    return this.nodes.flatMap(({ calls }) => calls).sort((a, b) => a.at - b.at);
  }

  async #untilQuiet(): Promise<void> {
    const all = [...this.nodes, this.relay];
    const quietAt = () => QUIET_MS + Math.max(0, ...all.map(({ calls }) => calls.at(-1)?.at ?? 0));
    for (let wait = 1; wait > 0; wait = quietAt() - Date.now())
      await new Promise((resolve) => setTimeout(resolve, wait));
  }

  async #decide(model: ConfirmModel, signal: AbortSignal): Promise<Decision> {
    this.shown.push(model);
    if (this.#decision === 'wait') {
      await new Promise<void>((resolve) => {
        this.#undecided.push(resolve);
        signal.addEventListener('abort', () => resolve());
      });
    }
    return signal.aborted || this.#decision === 'wait' ? 'cancel' : this.#decision;
  }
}

export const greetingOf = (greeting: string): ActionInput => ({
  type: 'FunctionCall',
  methodName: 'set_greeting',
  args: { greeting },
});

let names = 0;

/** The file's stack; a name that no other test uses; wallets that the end of the test closes. */
export const test = base.extend<{
  stack: FaultStack;
  username: string;
  /** The warnings and errors on the console that this test's faults cause; any other one fails the test. */
  expectedConsole: RegExp[];
  /** Opens an empty browser. */
  open: (options?: WalletOptions) => Promise<Wallet>;
  /** A wallet with an account, which is logged in. */
  wallet: Wallet;
}>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures' names from this pattern
    async ({}, use) => {
      const stack = await startFaultStack(CHAIN_NETWORK);
      await use(stack);
      await stack.stop();
    },
    { scope: 'file' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures' names from this pattern
  username: async ({}, use) => {
    names += 1;
    await use(`n${Date.now().toString(36)}-${names}`);
  },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures' names from this pattern
  expectedConsole: async ({}, use) => use([]),
  open: async ({ stack, expectedConsole }, use) => {
    const wallets: Wallet[] = [];
    await use(async (options) => {
      const wallet = await Wallet.open(stack, options);
      wallets.push(wallet);
      return wallet;
    });
    for (const wallet of wallets) await wallet.close();
    const surprises = wallets
      .flatMap(({ consoleLines }) => consoleLines)
      .filter((line) => !expectedConsole.some((pattern) => pattern.test(line)));
    expect(surprises, 'warnings and errors on the console').toEqual([]);
  },
  wallet: async ({ open, username }, use) => {
    const wallet = await open();
    await wallet.register(accountOf(username));
    await use(wallet);
  },
});

export const accountOf = (username: string): string => `${username}.${REGISTRY}`;

/**
 * Expects exactly these RPC calls, in this order. On nodes that lag the wallet asks or sends some again, so there it
 * expects that none is missing.
 */
export const expectCalls = (calls: readonly string[], expected: readonly string[]): void =>
  expect(calls).toEqual(NODES_LAG ? expect.arrayContaining([...expected]) : expected);

/** Lets the challenges of this file's registry be this old only, until the test is over. */
export async function shortenBlockAge({ oracle }: FaultStack): Promise<void> {
  await oracle.setMaxBlockAge(SHORT_BLOCK_AGE);
  onTestFinished(() => oracle.setMaxBlockAge(CHAIN.maxBlockAge));
}

/** Sends NEAR to the account. */
export const pay = (stack: FaultStack, receiverId: string, near: bigint): Promise<unknown> =>
  stack.funders.during((funder) => funder.transfer({ receiverId, amount: near * 10n ** 24n }));

export { expect };
