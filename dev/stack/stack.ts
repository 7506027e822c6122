// A whole stack: a chain with the registry, the relay and the wallet origin, as one thing that starts and ends.
import { mkdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { openPhone } from '../phone/open-phone.js';
import { httpsOrigin } from '../phone/tls-front.js';
import { developmentKey } from '../services/keys.js';
import { ensureRegistry, listHosts, networkOf, type Payer, requirePayer } from '../services/payer.js';
import {
  DEFAULT_PORTS,
  defaultPort,
  freePort,
  type PortName,
  requireFreePorts,
  type WantedPort,
} from '../services/ports.js';
import { steadyNode } from '../services/registry.js';
import type { Service } from '../services/service.js';
import { REGISTRY, RELAYER, startChain, startRelay } from '../services/services.js';
import { serveDeployedWallet, walletOriginAt } from '../wallet/wallet-origin.js';
import { type DataLock, lockData, openLogs } from './data.js';
import { type AppAddresses, variablesOf } from './variables.js';

const BLOCK_TIME_MS = 600;

/** A port by its number, where 0 takes a free one; or with the texts for errors. */
export type PortOption = number | WantedPort;

export interface StackOptions {
  /** The folder that keeps chain, lock key, lines, and the phone's certificate authority. Default `.latchkey`. */
  readonly data?: string;
  /** Whether to forget the folder's chain and lock key first. */
  readonly fresh?: boolean;
  /** The origins whose pages may embed the wallet and call the relay, such as `http://localhost:5180`. */
  readonly hosts?: readonly string[];
  /** Default: RELAY_PORT or 3000, CHAIN_PORT or 3030, WALLET_PORT or 5174, START_PORT or 5175, APP_PORT or 5173. */
  readonly ports?: { readonly [Name in PortName]?: PortOption };
  /** Whether the wallet runs in the app's own page, without an origin of its own. */
  readonly sameOrigin?: boolean;
  /**
   * An app among the hosts, at the port `app`. Without `listensAt`, the caller serves it at the address that the stack
   * gives; with it, it listens at that port already, and only a phone's https needs the port `app`.
   */
  readonly app?: { readonly listensAt?: number };
  /** Serves all of it by https at this name, for a phone in the same network. */
  readonly phone?: string;
  /** Another chain, instead of one of its own: its nodes, the account that pays, and the registry (`registry.<account>`). */
  readonly chain?: { readonly rpcUrls: readonly string[]; readonly payer: Payer; readonly registry?: string };
  /** Gets every line of the services, which the data folder's `logs/` has too. */
  readonly onLine?: (line: string, service: string) => void;
}

export interface StackAddresses extends AppAddresses {
  /** The app's origin, if the stack was started with one. */
  readonly appOrigin: string | null;
}

export interface Stack {
  readonly addresses: StackAddresses;
  /** The app's variables: `RELAY_URL` and others, also with the prefixes of Vite and Next. */
  readonly env: Readonly<Record<string, string>>;
  /** The data folder. */
  readonly data: string;
  readonly hosts: readonly string[];
  /** The account that pays for new accounts. */
  readonly payer: string;
  /** Whether a registry was deployed to the chain named in the options. */
  readonly hasDeployed: boolean;
  /** The process of the chain, if the stack started it, and that of the relay. */
  readonly pids: { readonly chain: number | null; readonly relay: number };
  /** Where the app listens that the caller serves; null without one. */
  readonly appListensAt: number | null;
  /** Opens the stack to the network, and returns what to print. Null without `phone`. */
  readonly openToPhone: (() => Promise<string>) | null;
  /** Settles with a sentence when a service has ended by itself; the rest still runs. Never rejects. */
  readonly failed: Promise<string>;
  /** Ends everything, in the reverse order of its start. */
  stop(): Promise<void>;
}

/** Where a service listens, and the origin by which pages know it. */
interface Place {
  readonly port: number;
  readonly listensAt: number;
  readonly origin: string;
}

/** A phone knows a service by https at its port; the service itself then listens at a free one of this machine. */
async function placeOf({ port }: WantedPort, phone: string | undefined, origin: string): Promise<Place> {
  if (phone === undefined) return { port, listensAt: port, origin };
  return { port, listensAt: await freePort(), origin: httpsOrigin(phone, port) };
}

async function wantedPort(name: PortName, option: PortOption | undefined): Promise<WantedPort> {
  if (option === undefined) return defaultPort(name);
  if (typeof option !== 'number') return option;
  return { service: DEFAULT_PORTS[name][0], port: option || (await freePort()), variable: `ports.${name}` };
}

async function findPlaces({ ports = {}, sameOrigin, app, phone, chain }: StackOptions) {
  const find = (name: PortName, isNeeded = true) => (isNeeded ? wantedPort(name, ports[name]) : null);
  const wanted = {
    app: await find('app', app !== undefined && (app.listensAt === undefined || phone !== undefined)),
    relay: await find('relay'),
    chain: await find('chain', chain === undefined),
    wallet: await find('wallet', !sameOrigin),
    start: await find('start', phone !== undefined),
  };
  await requireFreePorts(Object.values(wanted).filter((port) => port !== null));
  const place = (port: WantedPort | null, origin: (port: number) => string) =>
    port && placeOf(port, phone, origin(port.port));
  const local = (port: number) => `http://localhost:${port}`;
  const at = app?.listensAt;
  const appPlace = await place(wanted.app, local);
  return {
    app: appPlace && at !== undefined ? { ...appPlace, listensAt: at } : appPlace,
    relay: (await place(wanted.relay, local)) as Place,
    chain: await place(wanted.chain, (port) => `http://127.0.0.1:${port}`),
    wallet: await place(wanted.wallet, walletOriginAt),
    startPort: wanted.start?.port ?? null,
  };
}

/** The chain that a stack uses, and who pays and lists hosts there. */
interface Chain {
  /** As pages of this machine know it. */
  readonly rpcUrls: readonly string[];
  /** As the services of this machine do, which do not know the authority behind a phone's https. */
  readonly innerUrls: readonly string[];
  readonly registry: string;
  readonly explorerUrl: string | null;
  readonly payer: Payer;
  readonly owner: Payer;
  readonly hasDeployed: boolean;
  readonly service: Service | null;
}

const LOOPBACK = /^(localhost|127\..*|\[::1\])$/;

/** Another chain: checks it before anything is spent there, and deploys the registry if it is missing. */
async function joinChain({ rpcUrls, payer, registry }: NonNullable<StackOptions['chain']>): Promise<Chain> {
  const [rpcUrl = ''] = rpcUrls;
  const network = await networkOf(rpcUrl);
  await requirePayer(rpcUrl, payer);
  const contractId = registry ?? `registry.${payer.accountId}`;
  const hasDeployed = await ensureRegistry(rpcUrl, payer, contractId);
  const isPublic = network === 'testnet' && !LOOPBACK.test(new URL(rpcUrl).hostname);
  return {
    rpcUrls,
    innerUrls: rpcUrls,
    registry: contractId,
    explorerUrl: isPublic ? null : new URL(rpcUrl).origin,
    payer,
    owner: payer,
    hasDeployed,
    service: null,
  };
}

async function startOwnChain(
  place: Place,
  data: string,
  options: StackOptions,
  onLine: Line,
): Promise<Chain> {
  const service = await startChain({
    port: place.listensAt,
    data: join(data, 'chain'),
    blockTimeMs: BLOCK_TIME_MS,
    onLine,
  });
  const { origin } = place;
  return {
    // A built app lists two nodes, and a wallet refuses an app that lists others than its own.
    rpcUrls: options.phone === undefined ? [origin] : [origin, origin],
    innerUrls: [service.url],
    registry: REGISTRY,
    explorerUrl: origin,
    payer: { accountId: RELAYER, privateKey: developmentKey(RELAYER) },
    owner: { accountId: REGISTRY, privateKey: developmentKey(REGISTRY) },
    hasDeployed: false,
    service,
  };
}

type Line = (line: string, service: string) => void;

/**
 * Starts a stack, and resolves when all of it answers. Rejects with one sentence, and nothing left running, if a port is
 * taken, another stack runs on the data folder, or a service does not start.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const data = resolve(options.data ?? '.latchkey');
  const lock = await lockData(data);
  const stops: (() => Promise<void>)[] = [lock.release];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      for (const end of stops.splice(0).reverse()) await end();
    })();
    return stopping;
  };
  try {
    return await startAll(data, options, { stops, stop, isStopping: () => stopping !== undefined }, lock);
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Ends {
  readonly stops: (() => Promise<void>)[];
  stop(): Promise<void>;
  isStopping(): boolean;
}

async function startAll(
  data: string,
  options: StackOptions,
  { stops, stop, isStopping }: Ends,
  lock: DataLock,
): Promise<Stack> {
  const { app, relay, chain: chainPlace, wallet, startPort } = await findPlaces(options);
  const lockKeyFile = join(data, 'lock-key.json');
  if (options.fresh)
    for (const kept of [join(data, 'chain'), lockKeyFile]) await rm(kept, { recursive: true, force: true });
  const logs = await openLogs(data);
  stops.push(logs.close);
  const onLine: Line = (line, service) => {
    logs.write(line, service);
    options.onLine?.(line, service);
  };
  let fail: (how: string) => void = () => undefined;
  const failed = new Promise<string>((done) => {
    fail = done;
  });
  const running: Service[] = [];
  const supervise = async (service: Service) => {
    stops.push(service.stop);
    running.push(service);
    void service.ended.then((how) => isStopping() || fail(how));
    await lock.note({ pids: running.map(({ pid }) => pid) });
  };

  const chain = options.chain
    ? await joinChain(options.chain)
    : await startOwnChain(chainPlace as Place, data, options, onLine);
  if (chain.service) await supervise(chain.service);

  const [innerUrl = ''] = chain.innerUrls;
  const hosts = [...new Set([...(app ? [app.origin] : []), ...(options.hosts ?? [])])];
  const server = await startRelay({
    port: relay.listensAt,
    chainUrl: chain.innerUrls.join(','),
    appOrigin: hosts.join(','),
    ...(wallet && { walletOrigin: wallet.origin }),
    lockKeyFile,
    contractId: chain.registry,
    relayerId: chain.payer.accountId,
    privateKeys: [chain.payer.privateKey],
    onLine,
  });
  await supervise(server);

  const addresses: StackAddresses = {
    relayUrl: relay.origin,
    rpcUrls: chain.rpcUrls,
    registry: chain.registry,
    explorerUrl: chain.explorerUrl,
    walletOrigin: wallet?.origin ?? null,
    appOrigin: app?.origin ?? null,
  };
  if (wallet) {
    const node = chain.service ? steadyNode(innerUrl) : innerUrl;
    await listHosts(node, chain.owner, chain.registry, hosts);
    const settings = {
      relayUrl: addresses.relayUrl,
      chainUrls: addresses.rpcUrls,
      contractId: addresses.registry,
      allowedHosts: hosts,
      ...(addresses.explorerUrl !== null && { explorerUrl: addresses.explorerUrl }),
    };
    stops.push(
      (await serveDeployedWallet(wallet.listensAt, settings, { onLine, registryRpcUrl: innerUrl })).stop,
    );
  }
  await lock.note({ rpcUrl: innerUrl, isLocalChain: chain.service !== null });

  const { phone } = options;
  const openToPhone = async () => {
    // An app of the caller's may be a development server, and the authority's key lies in its project.
    const hidden =
      app && options.app?.listensAt !== undefined ? { ...app, hiddenFolder: basename(data) } : app;
    const fronts = [hidden, relay, chainPlace, wallet].filter((place) => place !== null);
    const folder = join(data, 'phone');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const appOrigin = app?.origin ?? '';
    const open = await openPhone({ name: phone ?? '', folder, fronts, startPort: startPort ?? 0, appOrigin });
    stops.push(open.stop);
    return open.notice;
  };
  return {
    addresses,
    env: variablesOf(addresses),
    data,
    hosts,
    payer: chain.payer.accountId,
    hasDeployed: chain.hasDeployed,
    pids: { chain: chain.service?.pid ?? null, relay: server.pid },
    appListensAt: app?.listensAt ?? null,
    openToPhone: phone === undefined ? null : openToPhone,
    failed,
    stop,
  };
}
