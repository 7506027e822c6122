/** Accounts of the real chain with keys that a relay may pay into, or may not. */
import { developmentKey } from '../../../tests/support/relay/devnet.js';
import type { RpcClient } from '../../../ts/src/near/index.js';
import type { Action } from '../../../ts/src/types.js';
import { Secret } from '../platform/secret.js';
import { loadRelayModule } from '../platform/wasm.js';
import { createMemoryLeaseStore } from '../relayer/lease-store.js';
import { createRelayer } from '../relayer/relayer.js';
import { createTransactionSigner } from '../relayer/transaction-signer.js';
import { makePublicKey } from './registration.js';

type Permission = Extract<Action, { type: 'AddKey' }>['accessKey']['permission'];

export const GAS_KEY: Permission = {
  GasKeyFunctionCall: { numNonces: 1, receiverId: 'w3a-v1.testnet', methodNames: [] },
};

/** Executes actions of a development account on itself. */
export async function actAs(rpc: RpcClient, accountId: string, actions: readonly Action[]): Promise<void> {
  await loadRelayModule();
  const signer = createTransactionSigner(accountId, [new Secret(developmentKey(accountId))]);
  const call = await createRelayer(rpc, signer, createMemoryLeaseStore()).signActions(accountId, actions);
  await rpc.sendTransaction(call.borshBytes, 'FINAL');
}

/** Adds a new key with this permission to a development account. Resolves with the key. */
export async function addKey(rpc: RpcClient, accountId: string, permission = GAS_KEY): Promise<string> {
  const publicKey = makePublicKey();
  await actAs(rpc, accountId, [{ type: 'AddKey', publicKey, accessKey: { permission } }]);
  return publicKey;
}
