import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { developmentKey } from './keys.js';
import { type Service, startService } from './service.js';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const REGISTRY = 'w3a-v1.testnet';
export const RELAYER = 'relayer.testnet';

// 0.1 NEAR: a call with 30 Tgas needs 0.03 NEAR on the account up front, so the default of 0.03 would not last.
const INITIAL_BALANCE_YOCTO = '100000000000000000000000';
const READY_POLL_MS = 50;
const READY_TIMEOUT_MS = 30_000;

type OnLine = (line: string, service: string) => void;

export interface ChainOptions {
  /** 0 takes a free one. */
  port: number;
  /** Where blocks and state are kept; in memory when absent. */
  data?: string;
  blockTimeMs: number;
  /** How many blocks old a challenge may be; the registry's own default when absent. */
  maxBlockAge?: number;
  onLine?: OnLine;
}

/** Starts the local chain with the registry deployed. */
export function startChain({ port, data, blockTimeMs, maxBlockAge, onLine }: ChainOptions): Promise<Service> {
  return startService({
    name: 'chain',
    command: join(ROOT, 'target/debug/latchkey-devnet'),
    args: [
      ...['--port', String(port)],
      ...['--block-time', `${blockTimeMs}ms`],
      ...['--registry', join(ROOT, 'build/registry.wasm')],
      ...(data === undefined ? [] : ['--data', data]),
      ...(maxBlockAge === undefined ? [] : ['--max-block-age', String(maxBlockAge)]),
    ],
    ready: /listening on (http:\/\/\S+)/,
    ...(onLine ? { onLine } : {}),
  });
}

export interface RelayOptions {
  /** 0 takes a free one. */
  port: number;
  chainUrl: string;
  /** The one origin that may call it. */
  appOrigin: string;
  /** The server lock's key: read from this file, or made and kept there. */
  lockKeyFile: string;
  /** Former lock keys, which still open. */
  graceKeysFile?: string;
  onLine?: OnLine;
}

/** Starts the relay and waits until chain and lock key answer. */
export async function startRelay({
  port,
  chainUrl,
  appOrigin,
  lockKeyFile,
  graceKeysFile,
  onLine,
}: RelayOptions): Promise<Service> {
  const relay = await startService({
    name: 'relay',
    command: process.execPath,
    args: [join(ROOT, 'demo/relay-node/main.js')],
    env: {
      PORT: String(port),
      NETWORK_ID: 'testnet',
      NEAR_RPC_URL: chainUrl,
      WEBAUTHN_CONTRACT_ID: REGISTRY,
      RELAYER_ACCOUNT_ID: RELAYER,
      RELAYER_PRIVATE_KEY: developmentKey(RELAYER),
      ACCOUNT_INITIAL_BALANCE: INITIAL_BALANCE_YOCTO,
      EXPECTED_ORIGIN: appOrigin,
      EXPECTED_WALLET_ORIGIN: appOrigin,
      SHAMIR_KEY_FILE: lockKeyFile,
      ...(graceKeysFile === undefined ? {} : { SHAMIR_GRACE_KEYS_FILE: graceKeysFile }),
    },
    ready: /listening on (http:\/\/\S+)/,
    ...(onLine ? { onLine } : {}),
  });
  await answers(`${relay.url}/readyz`, relay);
  return relay;
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
