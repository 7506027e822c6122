/** A real chain behind a fault proxy, and relays on it whose log and answers a test reads. */
import { afterAll, beforeAll } from 'vitest';
import { createLog, type LogLevel } from '../../../server/src/observe/log.js';
import { readRelayConfig } from '../../../server/src/platform/config.js';
import { type RelayHooks, type RunningRelay, startRelay } from '../../../server/src/platform/node.js';
import { loadVrf, makeRegistration, ORIGIN } from '../../../server/src/testing/registration.js';
import { createRpcClient, type RpcClient } from '../../../ts/src/near/index.js';
import { type FaultProxy, startFaultProxy } from '../fault-proxy.js';
import { type Devnet, developmentKey, startDevnet } from './devnet.js';

export const RELAYER = 'relayer.testnet';
export const REGISTER = '/create_account_and_register_user';

export interface StartOptions {
  /** The log's level. Default info. */
  readonly level?: LogLevel;
  readonly hooks?: RelayHooks;
}

/** Starts the chain before the tests of a file or a describe block, and stops it and all relays after them. */
export function operatedRelays(environment: Readonly<Record<string, string>> = {}) {
  let chain: Devnet;
  let proxy: FaultProxy;
  let rpc: RpcClient;
  const relays: RunningRelay[] = [];

  beforeAll(async () => {
    await loadVrf();
    chain = await startDevnet();
    proxy = await startFaultProxy(chain.url);
    rpc = createRpcClient({ urls: chain.url });
  });
  afterAll(async () => {
    for (const relay of relays) await relay.close();
    await proxy?.close();
    await chain?.stop();
  });

  /** A relay with this environment besides that of all. */
  async function start(env: Readonly<Record<string, string>> = {}, { level, hooks }: StartOptions = {}) {
    const lines: string[] = [];
    const config = readRelayConfig({
      RELAYER_ACCOUNT_ID: RELAYER,
      RELAYER_PRIVATE_KEY: developmentKey(RELAYER),
      NEAR_RPC_URL: proxy.url,
      EXPECTED_ORIGIN: ORIGIN,
      PORT: '0',
      ...environment,
      ...env,
    });
    const relay = await startRelay(
      config,
      createLog((line) => lines.push(line), level),
      hooks,
    );
    relays.push(relay);
    const { url } = relay;
    const request = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    const post = async (...asked: Parameters<typeof request>) => {
      const response = await request(...asked);
      return { response, status: response.status, answer: (await response.json()) as Record<string, string> };
    };
    const register = async (registration?: object, headers?: Readonly<Record<string, string>>) =>
      post(REGISTER, registration ?? (await makeRegistration(rpc)), headers);
    return { url, lines, request, post, register, stop: () => relay.close() };
  }

  return {
    start,
    get chain() {
      return chain;
    },
    get proxy() {
      return proxy;
    },
    get rpc() {
      return rpc;
    },
  };
}
