// One user's browser with its own proxies to chain and relay, on which a test breaks calls.
import type { PasskeyManagerConfig, ResumeResult } from 'latchkey';
import { REGISTRY } from '../../dev/services/services.js';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { type Facade, NodeBrowser } from '../support/page/browser.js';
import type { DeviceClock } from '../support/page/clock.js';
import { type FaultStack, ORIGIN } from './stack.js';

/** The k-th call of this name to this service. */
export interface RecordedCall {
  readonly service: 'chain' | 'relay';
  readonly name: string;
  readonly nth: number;
}

/** A flow's environment. */
export class World {
  accountId = '';
  /** Values that a flow keeps between its steps. */
  readonly notes = new Map<string, string>();
  /** How the open page resumed the previous page's journal. */
  resumed: ResumeResult = { committed: [], dropped: [], pending: [], mismatched: [] };
  readonly #browser: NodeBrowser;
  readonly #config: PasskeyManagerConfig;
  #partner: NodeBrowser | undefined;

  private constructor(
    readonly stack: FaultStack,
    readonly proxies: Readonly<Record<RecordedCall['service'], FaultProxy>>,
    private readonly more: Partial<PasskeyManagerConfig>,
  ) {
    this.#browser = new NodeBrowser(stack.bundle, ORIGIN);
    this.#config = this.#configFor(proxies.chain.url, proxies.relay.url);
  }

  /** Worlds share the chain and the relay, each through its own proxies. */
  static async open(stack: FaultStack, config: Partial<PasskeyManagerConfig> = {}): Promise<World> {
    const [chain, relay] = await Promise.all([
      startFaultProxy(stack.chainUrl),
      startFaultProxy(stack.relay.url),
    ]);
    return new World(stack, { chain, relay }, config);
  }

  /** Turns this into a new visitor's world, with another name, another authenticator and no data. */
  async beginNew(username: string): Promise<void> {
    this.accountId = `${username}.${REGISTRY}`;
    this.#browser.renewUser();
    this.beginAgain();
    await this.forget();
  }

  /** Begins another case with this visitor's state. */
  beginAgain(): void {
    this.notes.clear();
    this.closePartner();
    for (const proxy of Object.values(this.proxies)) {
      proxy.heal();
      proxy.calls.length = 0;
    }
  }

  /** Calls the open page's facade. Rejects if the page is left before the answer. */
  call<T>(work: (facade: Facade) => Promise<T>): Promise<T> {
    return this.#browser.evaluate(work);
  }

  /** The clock of this user's device. */
  get clock(): DeviceClock {
    return this.#browser.clock;
  }

  /** Opens the page as a visitor does, and leaves an open one. */
  async load(): Promise<void> {
    this.#browser.open(this.#config);
    this.resumed = await this.call(({ manager }) => manager.init());
  }

  /** Leaves the page and deletes its data; the passkeys stay, as in another browser with the same synced passkeys. */
  async forget(): Promise<void> {
    this.#browser.clearSiteData();
    await this.load();
  }

  /** Opens a page in another browser, with its own passkeys and data, and without faults. */
  openPartner(): NodeBrowser {
    this.closePartner();
    this.#partner = new NodeBrowser(this.stack.bundle, ORIGIN);
    this.#partner.open(this.#configFor(this.stack.chainUrl, this.stack.relay.url));
    return this.#partner;
  }

  get partner(): NodeBrowser {
    if (!this.#partner) throw new Error('This world has no partner.');
    return this.#partner;
  }

  closePartner(): void {
    this.#partner?.leave();
    this.#partner = undefined;
  }

  /** The calls since the start of the case's run, in order of arrival. */
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
    this.#browser.leave();
    this.closePartner();
    await Promise.all([this.proxies.chain.close(), this.proxies.relay.close()]);
  }

  #configFor(rpcUrl: string, relayUrl: string): PasskeyManagerConfig {
    return { rpcUrl, contractId: REGISTRY, relayer: { url: relayUrl }, logLevel: 'silent', ...this.more };
  }
}
