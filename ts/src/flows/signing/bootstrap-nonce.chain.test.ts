// The first transaction of a universal account, on a real chain: it takes one nonce and no other.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { developmentKey } from '../../../../dev/services/keys.js';
import { type Devnet, startDevnet } from '../../../../tests/support/relay/devnet.js';
import * as signer from '../../../wasm/signer/signer.js';
import { createRpcClient } from '../../near/index.js';
import { universalAccountId } from '../../near/universal-account.js';
import type { Action, UniversalStateInit } from '../../types.js';
import { bytes, loadSigner } from '../../workers/testing/signer-wasm.js';
import { TransactionContexts } from './transaction-contexts.js';

const PAYER = 'testnet';
const FUNDS = String(10n ** 22n);

let chain: Devnet;

beforeAll(async () => {
  await loadSigner();
  chain = await startDevnet();
});
afterAll(() => chain?.stop());

it('the next nonce is the one after the bootstrap nonce, again after one that was not sent', async () => {
  const rpc = createRpcClient({ urls: chain.url });
  const contexts = new TransactionContexts(rpc, () => undefined);
  // Any key that this test holds.
  const key = bytes(developmentKey('relayer.testnet'));
  const publicKey = signer.signWithKeyPair(key, {
    signerAccountId: PAYER,
    receiverId: PAYER,
    nonce: '1',
    blockHash: '11111111111111111111111111111111',
    actions: [{ type: 'CreateAccount' }],
  }).transaction.publicKey;
  const stateInit: UniversalStateInit = { V1: { code: null, data: [], accessKeys: [publicKey] } };
  const accountId = await universalAccountId(stateInit);

  const send = async (signerAccountId: string, secret: Uint8Array, publicKey: string, actions: Action[]) => {
    const { blockHash } = await contexts.renew(signerAccountId, publicKey);
    const { nonces } = await contexts.reserve(signerAccountId, publicKey, 1);
    const nonce = nonces[0] ?? '';
    const transaction = { signerAccountId, receiverId: accountId, nonce, blockHash, actions };
    const { borshBytes } = signer.signWithKeyPair(secret, transaction);
    return { nonce, ...(await rpc.sendTransaction(borshBytes, 'FINAL')) };
  };
  const payerKey = (await rpc.viewAccessKeyList(PAYER)).keys[0]?.public_key ?? '';
  await send(PAYER, bytes(developmentKey(PAYER)), payerKey, [{ type: 'Transfer', amount: FUNDS }]);

  const { isBootstrap, accessKey } = await contexts.begin(accountId, publicKey);
  expect(isBootstrap).toBe(true);
  const first = String(BigInt(accessKey.nonce) + 1n);
  // Reserved and lost: the chain takes no later one in its place.
  expect((await contexts.reserve(accountId, publicKey, 1)).nonces).toEqual([first]);
  const done = await send(accountId, key, publicKey, [
    { type: 'UniversalStateInit', stateInit, deposit: '0' },
  ]);
  expect(done).toMatchObject({ nonce: first, status: { SuccessValue: '' } });
  const { keys } = await rpc.viewAccessKeyList(accountId);
  expect(keys.map(({ public_key }) => public_key)).toEqual([publicKey]);
  expect((await contexts.renew(accountId, publicKey)).isBootstrap).toBeUndefined();
});
