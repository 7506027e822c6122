/** Tests that the audit finds each kind of violation. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { developmentKey } from '../../dev/services/keys.js';
import type { Service } from '../../dev/services/service.js';
import { RELAYER, startChain } from '../../dev/services/services.js';
import { createLog } from '../../server/src/observe/log.js';
import { readRelayConfig } from '../../server/src/platform/config.js';
import { type RunningRelay, startRelay } from '../../server/src/platform/node.js';
import { loadVrf, makePublicKey, ORIGIN } from '../../server/src/testing/registration.js';
import { createRpcClient, type RpcClient } from '../../ts/src/near/index.js';
import { audit, prepaidBetween, type Snapshot, takeSnapshot } from './audit.js';
import { askOnce, nameOf, type Wish, wishesFor } from './clients.js';

let chain: Service;
let relay: RunningRelay;
let rpc: RpcClient;
let before: Snapshot;
let prepaidYocto: bigint;
let wish: Wish;
const transactions = new Set<string>();

beforeAll(async () => {
  await loadVrf();
  chain = await startChain({ port: 0, blockTimeMs: 100, maxBlockAge: 10_000 });
  rpc = createRpcClient({ urls: chain.url });
  const environment = {
    RELAYER_ACCOUNT_ID: RELAYER,
    RELAYER_PRIVATE_KEY: developmentKey(RELAYER),
    NEAR_RPC_URL: chain.url,
    EXPECTED_ORIGIN: ORIGIN,
    PORT: '0',
  };
  const log = createLog((line) => {
    const { event, transactionHash } = JSON.parse(line);
    if (event === 'registration_sent') transactions.add(transactionHash);
  });
  relay = await startRelay(readRelayConfig(environment), log);
  const block = await rpc.block();
  const register = async (index: number) => {
    const [wish] = wishesFor('plain', nameOf(1, index), block) as [Wish];
    await askOnce(wish, relay.url);
    return wish;
  };
  const first = await takeSnapshot(chain.url);
  await register(0);
  transactions.clear();
  before = await takeSnapshot(chain.url);
  prepaidYocto = prepaidBetween(first, before);
  wish = await register(1);
});
afterAll(async () => {
  await relay?.close();
  await chain?.stop();
});

const violations = async (changes: Partial<Parameters<typeof audit>[0]>) =>
  (await audit({ chainUrl: chain.url, rpc, before, prepaidYocto, wishes: [wish], transactions, ...changes }))
    .violations;

it('finds nothing after an honest registration', async () => {
  expect(wish.state).toBe('granted');
  expect(await violations({})).toEqual([]);
});

it('finds a payment that no relay reported', async () => {
  const found = await violations({ transactions: new Set() });
  expect(found).toContainEqual(expect.stringContaining('the relayer spent'));
  expect(found).toContainEqual(expect.stringContaining('no payment made it'));
});

it('finds an account with another key than requested', async () => {
  const found = await violations({ wishes: [{ ...wish, publicKey: makePublicKey() }] });
  expect(found).toContainEqual(expect.stringContaining('has the keys'));
});

it('finds a reported success whose account does not exist', async () => {
  const missing: Wish = { ...wish, accountId: 'nobody.w3a-v1.testnet' };
  expect(await violations({ wishes: [wish, missing] })).toContainEqual(
    expect.stringContaining('nobody.w3a-v1.testnet does not exist'),
  );
});

it('finds a registration that never settled, and a wrong refusal', async () => {
  expect(await violations({ wishes: [{ ...wish, state: 'open' }] })).toContainEqual(
    expect.stringContaining('was never settled'),
  );
  expect(await violations({ wishes: [{ ...wish, state: 'refused' }] })).toContainEqual(
    expect.stringContaining('0 registrations'),
  );
});

it.each([
  ['relayer', 'the relayer spent'],
  ['registry', 'the registry kept'],
  ['all', 'all balances lost'],
  ['supply', 'the supply shrank by'],
] as const)('finds a missing yocto: %s', async (place, sentence) => {
  const found = await violations({ before: { ...before, [place]: before[place] + 1n } });
  expect(found).toEqual([expect.stringContaining(sentence)]);
});
