/** A relay that pays for greetings, a real chain with penniless senders, and a client that posts delegates. */
import { JsonRpcProvider, KeyPair } from 'near-api-js';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startChain } from '../../../dev/services/services.js';
import { createLog } from '../../../server/src/observe/log.js';
import { readRelayConfig } from '../../../server/src/platform/config.js';
import { type RunningRelay, startRelay } from '../../../server/src/platform/node.js';
import { createDelegateSigner, type MadeDelegate, toRequest } from '../../../server/src/testing/delegate.js';
import { createRpcClient, type RpcClient } from '../../../ts/src/near/index.js';
import { type FaultProxy, startFaultProxy } from '../fault-proxy.js';
import { type Devnet, developmentKey } from './devnet.js';

export const RELAYER = 'relayer.testnet';
export const REGISTRY = 'w3a-v1.testnet';
/** Senders without NEAR: the chain would refuse their own transactions. */
export const PENNILESS = Array.from({ length: 20 }, (_, index) => `penniless-${index}.testnet`);
export const [SENDER = '', OTHER = ''] = PENNILESS;
export const TGAS = 10n ** 12n;
const POLICY = { DELEGATE_CALLS: `${REGISTRY}:set_greeting`, DELEGATE_SPEND_CAP_NEAR: '100' };

export const keyOf = (accountId: string) => KeyPair.fromString(developmentKey(accountId));

/** Starts all of it before the tests of a describe block, and stops it after them. */
export function delegateRelay() {
  let chain: Devnet;
  let proxy: FaultProxy;
  let relay: RunningRelay;
  let rpc: RpcClient;
  let provider: JsonRpcProvider;
  let sign: ReturnType<typeof createDelegateSigner>;
  const lines: string[] = [];

  const start = (env: Record<string, string> = {}) =>
    startRelay(
      readRelayConfig({
        RELAYER_ACCOUNT_ID: RELAYER,
        RELAYER_PRIVATE_KEY: developmentKey(RELAYER),
        NEAR_RPC_URL: proxy.url,
        EXPECTED_ORIGIN: 'http://localhost:5173',
        RELAY_SPEND_CAP_NEAR: 'none',
        RELAY_LIMIT_DELEGATE: 'off',
        PORT: '0',
        ...POLICY,
        ...env,
      }),
      createLog((line) => lines.push(line)),
    );

  const healAndForget = () => {
    proxy.heal();
    proxy.calls.length = 0;
  };

  beforeAll(async () => {
    const fund = PENNILESS.flatMap((accountId) => ['--fund', `${accountId}=0`]);
    chain = await startChain({ port: 0, blockTimeMs: 100, maxBlockAge: 1200, args: fund });
    proxy = await startFaultProxy(chain.url);
    rpc = createRpcClient({ urls: chain.url });
    provider = new JsonRpcProvider({ url: chain.url });
    sign = createDelegateSigner(provider, SENDER);
    relay = await start();
  });
  afterAll(async () => {
    await relay?.close();
    await proxy?.close();
    await chain?.stop();
  });
  beforeEach(healAndForget);

  async function post(body: unknown, at = relay) {
    const response = await fetch(`${at.url}/signed-delegate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { transactionHash?: string; message?: string };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), ...answer };
  }

  return {
    get chainUrl() {
      return chain.url;
    },
    get proxy() {
      return proxy;
    },
    get rpc() {
      return rpc;
    },
    get provider() {
      return provider;
    },
    /** The log lines of all relays of this block. */
    lines,
    /** Another relay with these changes of its environment. */
    start,
    healAndForget,
    /** Signs as the first of the penniless senders, unless told otherwise. */
    sign: (...parts: Parameters<typeof sign>) => sign(...parts),
    post,
    relayIt: (delegate: MadeDelegate, at?: RunningRelay) => post(toRequest(delegate), at),
    /** The different transactions that reached the chain since the test began. */
    sent: () =>
      new Set(
        proxy.calls
          .filter((call) => call.name === 'send_tx')
          .map((call) => JSON.parse(call.body).params.signed_tx_base64),
      ),
    greeting: () => provider.callFunction({ contractId: REGISTRY, method: 'get_greeting', args: {} }),
    balance: async (accountId: string) => BigInt((await rpc.viewAccount(accountId))?.amount ?? -1),
    async outcomeOf(transactionHash: string | undefined) {
      const outcome = await rpc.transactionStatus(String(transactionHash), RELAYER);
      if (!outcome) throw new Error('the chain does not know the transaction');
      return outcome;
    },
  };
}

/** The last test of a block: its relays logged, and not their key. */
export function itLeavesNoSecret(lines: readonly string[]): void {
  it('leaves no secret in the log', () => {
    const secret = developmentKey(RELAYER).slice('ed25519:'.length);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).not.toContain(secret);
  });
}
