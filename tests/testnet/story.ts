/**
 * Register, pay, link, recover, revoke, on a network that this machine did not start: the product's own facade, worker
 * files and relay process, and software passkeys. What the run made is taken off again, and the rest is paid back.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ActionInput, PasskeyManagerConfig } from 'latchkey';
import { actions, PublicKey } from 'near-api-js';
import type { Service } from '../../dev/services/service.js';
import { startRelay } from '../../dev/services/services.js';
import { assertDone, endOfLinking, registeredIn, within } from '../faults/steps.js';
import { type Oracle, oracle } from '../support/oracle.js';
import { NodeBrowser } from '../support/page/browser.js';
import { type Bundle, bundle } from '../support/page/bundle.js';
import { said } from '../support/report.js';
import { Funder } from './funder.js';
import {
  ACCOUNT_YOCTO,
  type Network,
  near,
  newName,
  RELAY_CAP_NEAR,
  registryCode,
  registryYocto,
} from './network.js';

/** The origin of every page. It needs no server, and a registry elsewhere may accept https only. */
const ORIGIN = 'https://try.latchkey.example';
const PAYMENT_YOCTO = 10n ** 21n;
const GAS_OF_INIT = 30n * 10n ** 12n;
/** A node may lag behind the one that answered a step. */
const SEEN_MS = 30_000;
const LOOK_MS = 500;

/** A step that has ended. */
export interface StepReport {
  readonly title: string;
  readonly success: boolean;
  readonly ms: number;
  /** What the step showed, with its transactions; after a failure, the reason. */
  readonly text: string;
}

export interface StoryOptions {
  readonly onStep?: (step: StepReport) => void;
  /** Gets every line that the relay prints. */
  readonly onLine?: (line: string) => void;
  /** Ends the story after the running step; what was made is still taken off. */
  readonly signal?: AbortSignal;
}

export interface Story {
  /** In order, the ones that clean up last. */
  readonly steps: readonly StepReport[];
  readonly success: boolean;
  /** What the run cost the funder. */
  readonly spentYocto: bigint;
}

type Step = readonly [title: string, work: () => Promise<string>];

/** Tells the whole story. A failed step ends it, and what was made until then is still taken off. */
export async function tell(network: Network, { onStep, onLine, signal }: StoryOptions = {}): Promise<Story> {
  const steps: StepReport[] = [];
  const take = async ([title, work]: Step): Promise<boolean> => {
    const start = performance.now();
    const [success, text] = await work().then(
      (shown) => [true, shown] as const,
      (error: unknown) => [false, said(error)] as const,
    );
    const report = { title, success, ms: Math.round(performance.now() - start), text };
    steps.push(report);
    onStep?.(report);
    return success;
  };
  const cast = await Cast.meet(network, onLine);
  try {
    const before = await cast.funds();
    for (const step of cast.story()) if (!(await take(step)) || signal?.aborted) break;
    for (const step of cast.cleaning()) await take(step);
    const spentYocto = before - (await cast.funds());
    return { steps, success: !signal?.aborted && steps.every(({ success }) => success), spentYocto };
  } finally {
    await cast.leave();
  }
}

/** The two devices, the relay between them and the chain, and what they have made so far. */
class Cast {
  readonly #network: Network;
  readonly #onLine: ((line: string) => void) | undefined;
  readonly #folder: string;
  readonly #chain: Oracle;
  readonly #funder: Funder;
  readonly #first: NodeBrowser;
  readonly #second: NodeBrowser;
  readonly #registry: string;
  readonly #name = newName();
  #relay: Service | undefined;
  #hasDeployed = false;
  #hasAccount = false;
  #secondKey = '';

  private constructor(network: Network, onLine: StoryOptions['onLine'], folder: string, files: Bundle) {
    this.#network = network;
    this.#onLine = onLine;
    this.#folder = folder;
    this.#registry = network.registry ?? `${this.#name}.${network.funder.accountId}`;
    this.#chain = oracle(network.rpcUrls[0], this.#registry);
    this.#funder = new Funder(network);
    this.#first = new NodeBrowser(files, ORIGIN);
    this.#second = new NodeBrowser(files, ORIGIN);
  }

  static async meet(network: Network, onLine: StoryOptions['onLine']): Promise<Cast> {
    return new Cast(network, onLine, await mkdtemp(join(tmpdir(), 'latchkey-testnet-')), await bundle());
  }

  get #accountId(): string {
    return `${this.#name}.${this.#registry}`;
  }

  /** The funder's balance. */
  funds = (): Promise<bigint> => this.#funder.balance(this.#network.funder.accountId);

  story(): Step[] {
    return [
      ...(this.#network.registry === null ? [['Deploy a registry', () => this.#deploy()] as const] : []),
      ['Start the relay', () => this.#startRelay()],
      ['Register', () => this.#register()],
      ['Pay', () => this.#pay()],
      ['Link a device', () => this.#link()],
      ['Recover', () => this.#recover()],
      ['Revoke the device', () => this.#revoke()],
    ];
  }

  /** What takes off and pays back what the story made. */
  cleaning(): Step[] {
    return [
      ...(this.#hasAccount ? [['Give back', () => this.#giveBack()] as const] : []),
      ...(this.#hasDeployed ? [['Remove the registry', () => this.#removeRegistry()] as const] : []),
    ];
  }

  async leave(): Promise<void> {
    this.#first.leave();
    this.#second.leave();
    await this.#relay?.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The registry's account has the funder's own key, so that its NEAR is never out of reach. */
  async #deploy(): Promise<string> {
    const { funder, maxBlockAge = null } = this.#network;
    const code = await registryCode();
    const made = await this.#funder.send(funder.accountId, this.#registry, [
      actions.createAccount(),
      actions.transfer(registryYocto(code)),
      actions.addFullAccessKey(PublicKey.from(this.#funder.publicKey)),
    ]);
    this.#hasDeployed = true;
    const init = { owner_id: funder.accountId, max_block_age: maxBlockAge };
    const deployed = await this.#funder.send(this.#registry, this.#registry, [
      actions.deployContract(code),
      actions.functionCall('init', init, GAS_OF_INIT),
    ]);
    // A node that lags has no registry yet, and the wallet would refuse to use what it does not know.
    await this.#funder.shown();
    return shown(this.#registry, made, deployed);
  }

  async #startRelay(): Promise<string> {
    const { rpcUrls, funder } = this.#network;
    const onLine = this.#onLine;
    this.#relay = await startRelay({
      port: 0,
      chainUrl: rpcUrls.join(),
      appOrigin: ORIGIN,
      lockKeyFile: join(this.#folder, 'lock-key.json'),
      privateKeys: [funder.privateKey],
      env: {
        WEBAUTHN_CONTRACT_ID: this.#registry,
        RELAYER_ACCOUNT_ID: funder.accountId,
        ACCOUNT_INITIAL_BALANCE: String(ACCOUNT_YOCTO),
        RELAY_SPEND_CAP_NEAR: String(RELAY_CAP_NEAR),
        RELAY_DAILY_SHARE: 'off',
      },
      ...(onLine && { onLine }),
    });
    return `${this.#relay.url}, pays from ${funder.accountId}`;
  }

  async #register(): Promise<string> {
    this.#first.open(this.#config());
    const accountId = this.#accountId;
    const id = await registeredIn((work) => this.#first.evaluate(work), accountId);
    this.#hasAccount = true;
    const { publicKey } = await this.#first.evaluate(({ manager }) => manager.getLoginState(accountId));
    return shown(`${accountId}, ${publicKey}`, id);
  }

  async #pay(): Promise<string> {
    const { accountId } = this.#network.funder;
    const id = await this.#sign(accountId, { type: 'Transfer', amount: String(PAYMENT_YOCTO) });
    const { receiverId, succeeded } = await this.#chain.transaction(id, this.#accountId);
    if (!succeeded || receiverId !== accountId) throw new Error(`the chain does not show the payment ${id}`);
    return shown(`${near(PAYMENT_YOCTO)} NEAR to ${accountId}`, id);
  }

  async #link(): Promise<string> {
    this.#second.open(this.#config());
    const { qrData, checkCode } = await this.#second.evaluate((facade) => facade.startLinking());
    const [added, seen] = await this.#first.evaluate(async ({ manager, shown }) => {
      const result = await manager.linkDeviceWithScannedQRData(qrData);
      const last = shown.at(-1);
      return [result, last?.kind === 'transactions' ? last.device?.checkCode : undefined] as const;
    });
    assertDone('The authorization by the first device', added);
    if (seen !== checkCode) throw new Error(`the devices showed ${checkCode} and ${seen}`);
    const linked = await this.#second.evaluate((facade) => endOfLinking(facade));
    if (typeof linked !== 'object') throw new Error(`The second device did not come: ${linked ?? 'in time'}`);
    assertDone('The linking', linked);
    this.#secondKey = linked.publicKey ?? '';
    await this.#expectKeys(2);
    const text = `both showed ${checkCode}; ${this.#secondKey}`;
    return shown(text, added.transactionId ?? null, ...linked.transactionIds);
  }

  /** As in another browser with the same synced passkeys. */
  async #recover(): Promise<string> {
    const accountId = this.#accountId;
    this.#first.clearSiteData();
    this.#first.open(this.#config());
    const recovered = await this.#first.evaluate(({ manager }) => manager.recoverAccountFlow({ accountId }));
    assertDone('The recovery', { ...recovered, error: recovered.error ?? recovered.message });
    return shown(`${recovered.publicKey} from the passkey alone`);
  }

  async #revoke(): Promise<string> {
    const [accountId, key] = [this.#accountId, this.#secondKey];
    const gone = await this.#first.evaluate(({ manager }) => manager.deleteDeviceKey(accountId, key));
    assertDone('The removal', gone);
    await this.#expectKeys(1);
    let heard = '';
    const isRefused = async () => {
      const login = await this.#second.evaluate(({ manager }) => manager.loginPasskey(accountId));
      heard = login.error ?? '';
      return !login.success;
    };
    // A node that lags still shows the removed device's key.
    if (!(await within(SEEN_MS, isRefused, LOOK_MS))) throw new Error('the removed device can still log in');
    return shown(`the removed device hears: ${heard}`, gone.transactionId);
  }

  /** Deletes the account, so that its balance returns to the funder. */
  async #giveBack(): Promise<string> {
    const { accountId: beneficiaryId } = this.#network.funder;
    const balance = await this.#funder.balance(this.#accountId);
    const id = await this.#sign(this.#accountId, { type: 'DeleteAccount', beneficiaryId });
    await this.#funder.see(id, this.#accountId);
    return shown(`${near(balance)} NEAR to ${beneficiaryId}`, id);
  }

  async #removeRegistry(): Promise<string> {
    const { accountId } = this.#network.funder;
    const balance = await this.#funder.balance(this.#registry);
    const gone = await this.#funder.send(this.#registry, this.#registry, [actions.deleteAccount(accountId)]);
    return shown(`${near(balance)} NEAR to ${accountId}`, gone);
  }

  async #sign(receiverId: string, actionArgs: ActionInput): Promise<string> {
    const nearAccountId = this.#accountId;
    const sent = await this.#first.evaluate(({ manager }) =>
      manager.executeAction({ nearAccountId, receiverId, actionArgs, options: { waitUntil: 'FINAL' } }),
    );
    assertDone('The transaction', sent);
    return sent.transactionId ?? '';
  }

  /** Expects so many full-access keys on the account, and as many devices in the registry. */
  async #expectKeys(count: number): Promise<void> {
    let seen = '';
    const isSo = async () => {
      const [keys, devices] = await Promise.all([
        this.#chain.fullAccessKeys(this.#accountId),
        this.#chain.authenticators(this.#accountId),
      ]);
      seen = `the keys are ${keys}, and ${devices.length} devices`;
      return keys.length === count && devices.length === count;
    };
    if (!(await within(SEEN_MS, isSo, LOOK_MS))) throw new Error(`${count} were expected: ${seen}`);
  }

  #config(): PasskeyManagerConfig {
    return {
      rpcUrl: this.#network.rpcUrls,
      contractId: this.#registry,
      relayer: { url: this.#relay?.url ?? '' },
      logLevel: 'silent',
    };
  }
}

/** What a step proved, and its transactions. */
function shown(text: string, ...ids: readonly (string | null)[]): string {
  const made = ids.filter(Boolean);
  if (made.length === 0) return text;
  return `${text}; ${made.length === 1 ? 'transaction' : 'transactions'} ${made.join(' ')}`;
}
