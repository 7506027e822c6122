// What a network of an older protocol lacks is named before a prompt; each chain here is a real one of its protocol.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Devnet, startDevnet } from '../../../../tests/support/relay/devnet.js';
import { resolveConfig } from '../../config.js';
import { createRpcClient } from '../../near/index.js';
import type { Action, TransactionRequest } from '../../types.js';
import { assertNetworkHas } from './network-features.js';

const path = (name: string) => fileURLToPath(new URL(`../../../../${name}`, import.meta.url));
const vector = (name: string) => JSON.parse(readFileSync(path(`tests/vectors/${name}.json`), 'utf8'));
const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const { publicKey: ML_DSA_KEY } = vector('ml-dsa-65') as { readonly publicKey: string };
const { keyOnly } = vector('universal-accounts').derived as { readonly keyOnly: string };

const pay: Action = { type: 'Transfer', amount: '1' };
const to = (receiverId: string, action: Action, more: object = {}): TransactionRequest => ({
  receiverId,
  actions: [action],
  ...more,
});
const gasKey = { permission: { GasKeyFullAccess: { numNonces: 1 } } };
const OF_85: readonly [string, TransactionRequest][] = [
  ['strict nonces', to('bob.testnet', pay, { nonceMode: 'Strict' })],
  ['gas keys', to('bob.testnet', pay, { lane: 0 })],
  ['gas keys', to('bob.testnet', { type: 'AddKey', publicKey: KEY, accessKey: gasKey })],
  ['gas keys', to('bob.testnet', { type: 'TransferToGasKey', publicKey: KEY, deposit: '1' })],
  ['gas keys', to('bob.testnet', { type: 'WithdrawFromGasKey', publicKey: KEY, amount: '1' })],
  ['keys of ML-DSA-65', to('bob.testnet', { type: 'DeleteKey', publicKey: ML_DSA_KEY })],
];
const OF_88: readonly [string, TransactionRequest][] = [['universal accounts', to(keyOnly, pay)]];

describe.each([84, 87, 88])('a network of protocol %i', (protocol) => {
  let chain: Devnet;
  const asking = (...transactions: readonly TransactionRequest[]) => {
    const rpc = createRpcClient({ urls: chain.url });
    const config = resolveConfig({
      network: 'testnet',
      contractId: 'w3a-v1.testnet',
      relayer: { url: chain.url },
    });
    return assertNetworkHas({ rpc, config }, transactions);
  };

  beforeAll(async () => {
    // One unknown import of a contract kills every method of it below protocol 85.
    const registry = path('build/registry-p256.wasm');
    chain = await startDevnet({ args: ['--protocol-version', String(protocol)], registry });
  });
  afterAll(() => chain?.stop());

  it('has what older protocols have', async () => {
    await expect(asking(to('bob.testnet', pay))).resolves.toBeUndefined();
    await expect(asking(to('bob.testnet', { type: 'DeleteKey', publicKey: KEY }))).resolves.toBeUndefined();
  });

  it.each([...OF_85.map((each) => [85, ...each] as const), ...OF_88.map((each) => [88, ...each] as const)])(
    'is told from one of protocol %i, which has %s',
    async (needed, name, transaction) => {
      const checked = asking(to('bob.testnet', pay), transaction);
      if (protocol >= needed) return expect(checked).resolves.toBeUndefined();
      await expect(checked).rejects.toMatchObject({
        code: 'INVALID_ACTION',
        message: `This network does not have ${name} yet: they come with protocol ${needed}, and it has ${protocol}`,
      });
    },
  );
});
