/** A signed transaction for tests, from near-api-js. */
import { base58 } from '@scure/base';
import { actions, createTransaction, KeyPair, KeyPairSigner } from 'near-api-js';

export async function makeSignedTransfer(signerId = 'a.testnet') {
  const nonce = 5n;
  const signer = new KeyPairSigner(KeyPair.fromRandom('ed25519'));
  const publicKey = await signer.getPublicKey();
  const transaction = createTransaction(
    signerId,
    publicKey,
    'b.testnet',
    nonce,
    [actions.transfer(1n)],
    new Uint8Array(32),
  );
  const { signedTransaction, txHash } = await signer.signTransaction(transaction);
  const bytes = signedTransaction.encode();
  return { bytes, hash: base58.encode(txHash), signerId, publicKey: publicKey.toString(), nonce };
}
