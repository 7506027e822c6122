import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { developmentKey } from './keys.js';
import { chainProgram, registryContract, serverCommand } from './places.js';
import { type Service, startService } from './service.js';

/** The root of this repository, for the demo and the tests. The published package has none. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const REGISTRY = 'w3a-v1.testnet';
export const RELAYER = 'relayer.testnet';

/**
 * The options of how the nodes behave of the chains that demo, soak and suites start: like a node, without any.
 * LATCHKEY_CHAIN_NETWORK names others for one run, such as `--backends 3 --lag 0,3,8` or `--simple`.
 */
export const CHAIN_NETWORK: readonly string[] =
  process.env.LATCHKEY_CHAIN_NETWORK?.split(' ').filter(Boolean) ?? [];

/** Nodes as behind a provider's balancer: three at one address, of which two lag. */
export const LAGGING_NODES: readonly string[] = ['--backends', '3', '--lag', '0,3,8'];

// 0.1 NEAR: a call with 30 Tgas needs 0.03 NEAR on the account up front, so the default of 0.03 would not last.
const INITIAL_BALANCE_YOCTO = '100000000000000000000000';
const READY_POLL_MS = 50;
const READY_TIMEOUT_MS = 30_000;

// Every client of a local stack has the same address, and its NEAR costs nothing.
const UNLIMITED = {
  RELAY_SPEND_CAP_NEAR: 'none',
  RELAY_DAILY_SHARE: 'off',
  RELAY_LIMIT_REGISTRATIONS: 'off',
  RELAY_LIMIT_LOCK: 'off',
  RELAY_LIMIT_DELEGATE: 'off',
  RELAY_LIMIT_APP_KEYS: 'off',
  RELAY_LIMIT_ORIGINS: 'off',
};

type OnLine = (line: string, service: string) => void;

export interface ChainOptions {
  /** 0 takes a free one. */
  port: number;
  /** Where blocks and state are kept; in memory when absent. */
  data?: string;
  blockTimeMs: number;
  /** How many blocks old a challenge may be; the registry's own default when absent. */
  maxBlockAge?: number;
  /** The path of the registry's contract; that of `latchkey-server` when absent. */
  registry?: string;
  /** The options of how the nodes behave; CHAIN_NETWORK when absent. */
  network?: readonly string[];
  /** Further options of `latchkey-devnet`. */
  args?: string[];
  /** The chain's program; the one of {@link chainProgram} when absent. */
  binary?: string;
  onLine?: OnLine;
}

/** Starts the local chain with the registry deployed. */
export function startChain(options: ChainOptions): Promise<Service> {
  const { port, data, blockTimeMs, maxBlockAge, args = [], onLine } = options;
  const { registry = registryContract(), network = CHAIN_NETWORK } = options;
  return startService({
    name: 'chain',
    command: options.binary ?? chainProgram(),
    args: [
      ...['--port', String(port)],
      ...['--block-time', `${blockTimeMs}ms`],
      ...['--registry', registry],
      ...(data === undefined ? [] : ['--data', data]),
      ...(maxBlockAge === undefined ? [] : ['--max-block-age', String(maxBlockAge)]),
      ...network,
      ...args,
    ],
    ready: /listening on (http:\/\/\S+)/,
    ...(onLine ? { onLine } : {}),
  });
}

export interface RelayOptions {
  /** 0 takes a free one. */
  port: number;
  chainUrl: string;
  /** The app's origin, which may call the relay. */
  appOrigin: string;
  /** The wallet's own origin, if it has one. */
  walletOrigin?: string;
  /** The server lock's key: read from this file, or created there. */
  lockKeyFile: string;
  /** The registry's account; REGISTRY when absent. */
  contractId?: string;
  /** The account that pays; RELAYER when absent. */
  relayerId?: string;
  /** The relayer's keys; its development key when absent. */
  privateKeys?: readonly string[];
  /** Further environment variables of the relay. */
  env?: Record<string, string>;
  onLine?: OnLine;
}

/** Starts the relay and waits until chain and lock key answer. */
export async function startRelay(options: RelayOptions): Promise<Service> {
  const { onLine } = options;
  const relay = await startService({
    name: 'relay',
    command: process.execPath,
    args: [serverCommand('latchkey-relay')],
    env: relayEnvironment(options),
    ready: /listening on (http:\/\/\S+)/,
    ...(onLine ? { onLine } : {}),
  });
  await answers(`${relay.url}/readyz`, relay);
  return relay;
}

/** Runs a command of `latchkey-relay` with the environment of a relay that these options start. */
export async function runRelayCommand(args: string[], options: RelayOptions): Promise<string> {
  const command = [serverCommand('latchkey-relay'), ...args];
  const env = { ...process.env, ...relayEnvironment(options) };
  return (await promisify(execFile)(process.execPath, command, { env })).stdout;
}

/** Runs a command of `latchkey-registry` as the registry's owner, and returns its standard output. */
export async function runRegistryCommand(args: readonly string[], chainUrl: string): Promise<string> {
  const command = [serverCommand('latchkey-registry'), ...args];
  const env = {
    ...process.env,
    NEAR_RPC_URL: chainUrl,
    REGISTRY_ADMIN_ID: REGISTRY,
    REGISTRY_ADMIN_PRIVATE_KEY: developmentKey(REGISTRY),
  };
  return (await promisify(execFile)(process.execPath, command, { env })).stdout;
}

function relayEnvironment({
  port,
  chainUrl,
  appOrigin,
  walletOrigin = appOrigin,
  lockKeyFile,
  contractId = REGISTRY,
  relayerId = RELAYER,
  privateKeys = [developmentKey(relayerId)],
  env = {},
}: RelayOptions): Record<string, string> {
  return {
    PORT: String(port),
    NETWORK_ID: 'testnet',
    NEAR_RPC_URL: chainUrl,
    WEBAUTHN_CONTRACT_ID: contractId,
    RELAYER_ACCOUNT_ID: relayerId,
    RELAYER_PRIVATE_KEY: privateKeys.join(','),
    ACCOUNT_INITIAL_BALANCE: INITIAL_BALANCE_YOCTO,
    EXPECTED_ORIGIN: appOrigin,
    EXPECTED_WALLET_ORIGIN: walletOrigin,
    SHAMIR_KEY_FILE: lockKeyFile,
    ...UNLIMITED,
    ...env,
  };
}

/** Waits until an address answers 200. Stops the service and throws when it ends or stays silent. */
async function answers(url: string, service: Service): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let end: string | undefined;
  void service.ended.then((how) => {
    end = how;
  });
  let last = '';
  while (Date.now() < deadline && end === undefined) {
    try {
      const response = await fetch(url);
      if (response.ok) return;
      last = `${response.status} ${await response.text()}`;
    } catch (error) {
      last = String(error);
    }
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
  await service.stop();
  throw new Error(end ?? `${service.name} did not become ready: ${url} answered ${last}`);
}
