// near-api-js, unchanged, against the local chain as it is by default: like a network of nodes.
import { fileURLToPath } from 'node:url';
import { Account, actions, JsonRpcProvider, KeyPairSigner, nearToYocto } from 'near-api-js';
import { UnknownTransactionError } from 'near-api-js/rpc-errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REGISTRY } from '../../dev/services/services.js';
import { type Devnet, developmentKey, startDevnet } from './devnet.js';

const ALICE = 'alice.testnet';
const BOB = 'bob.testnet';

/** The options of one node, and of a provider whose three nodes lag each other. */
const NETWORKS: [string, string[]][] = [
  ['one node', ['--skip-rate', '0.1', '--seed', '1']],
  ['three nodes behind one port', ['--backends', '3', '--lag', '0,1,2', '--receipt-blocks', '1']],
];

const optimistic = { finality: 'optimistic' as const };
const final = { finality: 'final' as const };

describe.each(NETWORKS)('%s', (_, network) => {
  let devnet: Devnet;
  let provider: JsonRpcProvider;

  beforeAll(async () => {
    const funds = [ALICE, BOB].flatMap((accountId) => ['--fund', `${accountId}=100`]);
    devnet = await startDevnet(['--no-registry', '--block-time', '50ms', ...funds], network);
    provider = new JsonRpcProvider({ url: devnet.url });
  });

  afterAll(async () => {
    await devnet.stop();
  });

  const signPayment = () =>
    new Account(ALICE, provider, new KeyPairSigner(developmentKey(ALICE))).createSignedTransaction({
      receiverId: BOB,
      actions: [actions.transfer(nearToYocto(1))],
    });

  it('pays, and shows the payment at final once it is final', async () => {
    const before = (await provider.viewAccount({ accountId: BOB, blockQuery: final })).amount;
    const sent = await provider.sendTransactionUntil(await signPayment(), 'FINAL');
    expect(sent.final_execution_status).toBe('FINAL');
    await expect
      .poll(async () => (await provider.viewAccount({ accountId: BOB, blockQuery: final })).amount)
      .toBe(before + nearToYocto(1));
  });

  it('has a final block behind its newest one', async () => {
    const finalized = await provider.viewBlock({ ...final });
    await expect
      .poll(async () => (await provider.viewBlock({ ...optimistic })).header.height)
      .toBeGreaterThanOrEqual(finalized.header.height + 2);
  });

  it('does not know a transaction that is in no block', async () => {
    const query = {
      txHash: '9FtHUFBQsZ2MG77K3x3MJ9wjX3UT8zE1TczCrhZEcG8U',
      accountId: ALICE,
      waitUntil: 'NONE' as const,
    };
    await expect(provider.viewTransactionStatus(query)).rejects.toThrow(UnknownTransactionError);
  });
});

it('a new chain has its registry on every node', async () => {
  const registry = fileURLToPath(new URL('../../build/registry.wasm', import.meta.url));
  const chain = await startDevnet(['--registry', registry], ['--backends', '3', '--lag', '0,3,8']);
  try {
    const provider = new JsonRpcProvider({ url: chain.url });
    const look = () => provider.viewContractCode({ contractId: REGISTRY, ...final });
    expect(await Promise.all(Array.from({ length: 12 }, look))).toHaveLength(12);
  } finally {
    await chain.stop();
  }
});
