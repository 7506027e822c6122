import { type PrfOutputs, wipe } from '../webauthn/prf.js';
import type { DerivedKeypair } from '../workers/signer-api.js';
import type { Signer } from '../workers/signer-pool.js';

/**
 * Whether the outputs of a passkey open this key, which earlier outputs of it have made, and derive it again. They move to
 * the signer worker, and are wiped whether or not they left.
 */
export async function proves(
  signer: Signer,
  accountId: string,
  { encryptedPrivateKey, publicKey }: DerivedKeypair,
  { first, second }: PrfOutputs,
  signal: AbortSignal,
): Promise<boolean> {
  const options = { signal, transfer: [first.buffer, second.buffer] };
  try {
    return await signer.call('prove', [accountId, first, second, encryptedPrivateKey, publicKey], options);
  } finally {
    wipe(first, second);
  }
}
