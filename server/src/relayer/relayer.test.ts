/** The relayer's access keys against the real chain: many at a time, and shared with another relay. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Call, type FaultProxy, startFaultProxy } from '../../../tests/support/fault-proxy.js';
import { type Devnet, developmentKey, startDevnet } from '../../../tests/support/relay/devnet.js';
import { createRpcClient, type RpcClient } from '../../../ts/src/near/index.js';
import { createLog } from '../observe/log.js';
import { readRelayConfig } from '../platform/config.js';
import { type RunningRelay, startRelay } from '../platform/node.js';
import { readRelayerAccount } from '../platform/relay-settings.js';
import { loadRelayModule } from '../platform/wasm.js';
import { openBooks } from '../testing/books.js';
import { loadVrf, type MadeRegistration, makeRegistration, ORIGIN } from '../testing/registration.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { addAccessKeys } from './access-keys.js';

const RELAYER = 'relayer.testnet';
const INITIAL_BALANCE = 100_000_000_000_000_000_000_000n;

describe('the relayer’s access keys', { timeout: 240_000 }, () => {
  const folder = temporaryFolder();
  let chain: Devnet;
  let proxy: FaultProxy;
  let rpc: RpcClient;
  let fourKeys: string;
  const relays: RunningRelay[] = [];

  beforeAll(async () => {
    await loadVrf();
    chain = await startDevnet();
    proxy = await startFaultProxy(chain.url);
    rpc = createRpcClient({ urls: chain.url });
    const account = readRelayerAccount({
      RELAYER_ACCOUNT_ID: RELAYER,
      RELAYER_PRIVATE_KEY: developmentKey(RELAYER),
      NEAR_RPC_URL: chain.url,
    });
    await loadRelayModule();
    const path = folder.file('keys.env');
    fourKeys = (await addAccessKeys({ rpc, account, count: 3, path })).privateKeys.reveal();
  });
  afterAll(async () => {
    for (const relay of relays) await relay.close();
    await proxy?.close();
    await chain?.stop();
  });
  async function start(keys: string): Promise<RunningRelay> {
    const config = readRelayConfig({
      RELAYER_ACCOUNT_ID: RELAYER,
      RELAYER_PRIVATE_KEY: keys,
      NEAR_RPC_URL: proxy.url,
      ACCOUNT_INITIAL_BALANCE: String(INITIAL_BALANCE),
      EXPECTED_ORIGIN: ORIGIN,
      RELAY_LIMIT_REGISTRATIONS: '10000,100000',
      RELAY_SPEND_CAP_NEAR: '1000',
      PORT: '0',
    });
    const relay = await startRelay(
      config,
      createLog(() => undefined),
    );
    relays.push(relay);
    return relay;
  }

  const makeMany = (count: number) => Promise.all(Array.from({ length: count }, () => makeRegistration(rpc)));
  /**
   * Registers all of them in parallel, each at one or several relays, and asserts that every account was created and
   * paid for once. Returns the signed transactions, and how many of them the chain accepted.
   */
  async function registerAll(count: number, at: (index: number) => RunningRelay[]) {
    const requests = await makeMany(count);
    const books = await openBooks(rpc, proxy);
    const answers = await Promise.all(
      requests.flatMap((request, index) => at(index).map((relay) => register(relay, request))),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    return { taken: await books.balance(requests), signed: await books.signed() };
  }

  it('carry parallel registrations: every key is used, and every account is created once', async () => {
    const relay = await start(fourKeys);
    // A single relay uses further keys only if several registrations sign at the same time, so this makes them all
    // wait.
    const letSign = proxy.hold('block');
    const registering = registerAll(28, () => [relay]);
    const isChecked = ({ name, status }: Call) => name === 'query:check_can_register_user' && status === 200;
    await vi.waitUntil(() => proxy.calls.filter(isChecked).length === 28, { timeout: 120_000 });
    letSign();
    const { signed, taken } = await registering;
    expect(taken).toBe(28);
    const used = new Set(signed.map(({ accessKey }) => accessKey!.publicKey));
    const { keys } = await rpc.viewAccessKeyList(RELAYER);
    expect([...used].sort()).toEqual(keys.map((key) => key.public_key).sort());
    expect(used.size).toBe(4);
  });

  it.each([
    ['four keys', () => fourKeys],
    ['one key', () => developmentKey(RELAYER)],
  ])('shared by two relays, %s, lose no registration and pay for none twice', async (_, keys) => {
    const [one, two] = [await start(keys()), await start(keys())];
    // After this, the first relay holds nonces that the second has used.
    await registerAll(8, () => [one]);
    await registerAll(8, () => [two]);
    const { signed, taken } = await registerAll(32, (index) => (index % 2 ? [one] : [two]));
    expect(taken).toBe(32);
    expect(signed.length).toBeGreaterThan(taken);
  });

  it('of two relays that get the same request create one account', async () => {
    const [one, two] = [await start(fourKeys), await start(fourKeys)];
    await registerAll(6, () => [one, two]);
  });
});

async function register({ url }: RunningRelay, request: MadeRegistration) {
  const response = await fetch(`${url}/create_account_and_register_user`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  const answer = (await response.json()) as { transactionHash?: string; message: string };
  return { status: response.status, ...answer };
}
