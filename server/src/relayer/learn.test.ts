/** What the relayer learns from a refused nonce, with a node that lags behind the one that refused. */
import { expect, it } from 'vitest';
import type { RpcClient } from '../../../ts/src/near/index.js';
import { createMemoryLeaseStore } from './lease-store.js';
import { createRelayer } from './relayer.js';
import type { TransactionSigner } from './transaction-signer.js';

const KEY = 'ed25519:K';

/** The nonce that is signed next, after a refusal that names `reached` while a reading at height 7 says 10. */
async function nonceAfter(reached: unknown): Promise<string | undefined> {
  const nonces: string[] = [];
  const rpc = {
    block: async () => ({ header: { hash: 'hash' } }),
    viewAccessKey: async () => ({ nonce: 10, permission: 'FullAccess', block_height: 7, block_hash: 'hash' }),
  } as unknown as RpcClient;
  const signer: TransactionSigner = {
    accountId: 'relayer.testnet',
    publicKeys: [KEY],
    sign: (_key, { nonce }) => {
      nonces.push(nonce);
      return { borshBytes: new Uint8Array(), hash: 'tx' };
    },
    signDelegate: () => expect.fail('not part of this test'),
  };
  const relayer = createRelayer(rpc, signer, createMemoryLeaseStore());
  const refused = await relayer.signActions('b.testnet', []);
  const failure = {
    kind: 'invalid_transaction',
    reason: 'InvalidNonce',
    info: { ak_nonce: reached },
  } as const;
  expect(await relayer.learn(refused, failure)).toBe(true);
  await relayer.signActions('b.testnet', []);
  return nonces[1];
}

it('signs above the nonce that the refusal names, even if the node that is read lags', async () => {
  expect(await nonceAfter(30)).toBe('31');
});

it('does not believe a named nonce that the chain could not have reached, nor one that is no number', async () => {
  expect(await nonceAfter(7_000_000)).toBe('12');
  expect(await nonceAfter('30')).toBe('12');
});
