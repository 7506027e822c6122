import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveBuiltApp, writeSite } from '../../demo/serve-app.js';
import { freePort } from '../../dev/services/ports.js';
import { REGISTRY, startChain, startRelay } from '../../dev/services/services.js';
import { serveDeployedWallet, walletOriginAt } from '../../dev/wallet/wallet-origin.js';
import { type FaultOptions, type FaultProxy, startFaultProxy } from './fault-proxy.js';
import { localOracle, type Oracle } from './oracle.js';

/** A local stack's relay pays for greetings that a user signed. */
const DELEGATE_POLICY = { DELEGATE_CALLS: `${REGISTRY}:set_greeting`, DELEGATE_SPEND_CAP_NEAR: '100' };

/** A whole stack for programs: free ports, a chain in memory, the built app, and proxies that cause faults. */
export interface LocalStack {
  appUrl: string;
  /** The wallet's own origin; null where the wallet runs in the app's page. */
  walletOrigin: string | null;
  /** The folder that the app's server serves, including files added later. */
  siteFolder: string;
  /** Builds the page of a source folder, serves it next to the app under this name, and returns its address. */
  addPage(root: string, name: string): Promise<string>;
  /** The chain itself, not through the proxies. */
  chainUrl: string;
  oracle: Oracle;
  /** Between the page and the first chain address in its list. */
  chain: FaultProxy;
  /** Between the page and the second one, which it uses when the first fails. */
  spareChain: FaultProxy;
  /** Between the page and the relay. */
  relay: FaultProxy;
  /** `chain` and `spareChain`: a fault of both is one of the chain. */
  nodes: readonly FaultProxy[];
  /** All three. */
  proxies: readonly FaultProxy[];
  /** Stops the server of the wallet's origin; the result starts it again at the same address. */
  takeWalletDown(): Promise<() => Promise<void>>;
  /** Stops everything and removes its folder. */
  stop(): Promise<void>;
}

export interface LocalStackOptions {
  blockTimeMs: number;
  /** How many blocks old a challenge may be; the registry's own default when absent. */
  maxBlockAge?: number;
  /** The options of how the chain's nodes behave; CHAIN_NETWORK when absent. */
  network?: readonly string[];
  /** Whether the wallet has its own origin, in a frame of the app. Default false. */
  framed?: boolean;
  /** Whether the wallet trusts the app's page not to cover it (`trustedHosts`). Default false. */
  isTrusted?: boolean;
  /** The hosts at the app's port, by name, that may hand in the code of a new device (`linkCodeHosts`). Default none. */
  linkCodeHosts?: readonly string[];
  /** Gets every line that chain and relay print. */
  onLine?: (line: string, service: string) => void;
}

/** Starts a stack that shares nothing with any other on this machine. */
export async function startLocalStack({
  onLine,
  framed = false,
  isTrusted = false,
  linkCodeHosts = [],
  ...chainOptions
}: LocalStackOptions): Promise<LocalStack> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-stack-'));
    stops.push(() => rm(folder, { recursive: true, force: true }));
    const log = onLine ? { onLine } : {};

    const node = await startChain({ port: 0, ...chainOptions, ...log });
    stops.push(() => node.stop());
    const appPort = await freePort();
    const appOrigin = `http://localhost:${appPort}`;
    const walletPort = framed ? await freePort() : null;
    const walletOrigin = walletPort === null ? null : walletOriginAt(walletPort);
    const server = await startRelay({
      port: 0,
      chainUrl: node.url,
      appOrigin,
      ...(walletOrigin && { walletOrigin }),
      lockKeyFile: join(folder, 'lock-key.json'),
      env: DELEGATE_POLICY,
      ...log,
    });
    stops.push(() => server.stop());

    const proxies: FaultProxy[] = [];
    for (const target of [node.url, node.url, server.url]) {
      const proxy = await startFaultProxy(target);
      stops.push(proxy.close);
      proxies.push(proxy);
    }
    const [chain, spareChain, relay] = proxies as [FaultProxy, FaultProxy, FaultProxy];

    const addresses = {
      relayUrl: relay.url,
      chainUrls: [chain.url, spareChain.url] as const,
      explorerUrl: node.url,
      ...(walletOrigin && { walletOrigin }),
    };
    let takeWalletDown: LocalStack['takeWalletDown'] = async () => {
      throw new Error('the wallet has no origin of its own');
    };
    if (walletPort !== null) {
      await localOracle(node.url).allowHost(appOrigin);
      const settings = {
        ...addresses,
        contractId: REGISTRY,
        allowedHosts: [appOrigin],
        trustedHosts: isTrusted ? [appOrigin] : [],
        linkCodeHosts: linkCodeHosts.map((name) => `http://${name}:${appPort}`),
      };
      let wallet = await serveDeployedWallet(walletPort, settings, { onLine });
      stops.push(() => wallet.stop());
      takeWalletDown = async () => {
        await wallet.stop();
        return async () => {
          wallet = await serveDeployedWallet(walletPort, settings, { onLine });
        };
      };
    }
    const siteFolder = join(folder, 'app');
    const app = await serveBuiltApp(appPort, siteFolder, addresses);
    stops.push(app.stop);
    return {
      appUrl: app.url,
      walletOrigin,
      siteFolder,
      addPage: async (root, name) => {
        await writeSite(root, `/${name}/`, join(siteFolder, name), addresses);
        return `${app.url}/${name}/index.html`;
      },
      chainUrl: node.url,
      oracle: localOracle(node.url),
      chain,
      spareChain,
      relay,
      nodes: [chain, spareChain],
      proxies,
      takeWalletDown,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export interface HeldCalls {
  /** Settles when a node holds the first of them: it arrives there even if its page is left. */
  readonly first: Promise<void>;
  /** Lets them go on, and ends the hold. */
  readonly release: () => void;
}

/** Holds the calls of this name ('*': all) at both nodes: the wallet asks the other one where the first is silent. */
export function holdEverywhere(
  { nodes }: LocalStack,
  name: string,
  options: Pick<FaultOptions, 'where'> = {},
): HeldCalls {
  let releases: (() => void)[] = [];
  const first = new Promise<void>((onMet) => {
    releases = nodes.map((node) => node.hold(name, undefined, { ...options, onMet }));
  });
  const release = () => {
    for (const letGo of releases) letGo();
  };
  return { first, release };
}
