// Transactions of other keys than the wallet's, with every action and lane that the wallet's own signer knows.
import { base64 } from '@scure/base';
import { KeyPair } from 'near-api-js';
import type { Action } from '../../ts/src/types.js';
import { bytes } from '../../ts/src/workers/testing/signer-wasm.js';
import * as signer from '../../ts/wasm/signer/signer.js';
import type { FaultStack } from '../faults/stack.js';
import { expect } from './wallet.js';

/** The signer's WASM must be loaded. Resolves once the transaction has been executed and is final. */
export async function sendAs(
  { oracle, chainUrl }: Pick<FaultStack, 'oracle' | 'chainUrl'>,
  [accountId, privateKey]: readonly [accountId: string, privateKey: string],
  receiverId: string,
  actions: Action[],
): Promise<void> {
  const publicKey = KeyPair.fromString(privateKey as `ed25519:${string}`)
    .getPublicKey()
    .toString();
  const key = await oracle.provider.viewAccessKey({ accountId, publicKey });
  const { borshBytes } = signer.signWithKeyPair(bytes(privateKey), {
    signerAccountId: accountId,
    receiverId,
    nonce: String(BigInt(key.nonce) + 1n),
    blockHash: key.block_hash,
    actions,
  });
  const params = { signed_tx_base64: base64.encode(borshBytes), wait_until: 'FINAL' };
  const response = await fetch(chainUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: '1', method: 'send_tx', params }),
  });
  expect(await response.text()).toContain('SuccessValue');
}
