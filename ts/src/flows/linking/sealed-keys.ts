/** The keys of a passkey that joins an account. This page holds the NEAR key: it signs later, without another prompt. */
import { CRYPTO_FAILED, isCancellation, LatchkeyError, linkText } from '../../errors/account.js';
import type { OpenableKey, PasskeySealedKey } from '../../workers/signer-api.js';
import type { Signer } from '../../workers/signer-pool.js';
import type { FlowContext } from '../context.js';
import {
  besideVrfKeypair,
  isProven,
  type MadeDevice,
  type MadePasskey,
} from '../registration/new-passkey.js';
import { hold, pageWrappingKey } from './link-keys.js';

/**
 * Derives them as deriveKeys does, and encrypts `other`, a key that the linking replaces, for the same passkey. The
 * passkey's secrets are transferred to the workers.
 */
export async function deriveSealedKeys(
  context: FlowContext,
  signer: Signer,
  accountId: string,
  passkey: MadePasskey,
  other: OpenableKey | null,
  signal: AbortSignal,
): Promise<MadeDevice & { readonly replaces: PasskeySealedKey | null }> {
  const { challenge, registration, confirmed, prf, proof } = passkey;
  const { first, second } = prf;
  const wrappingKey = await pageWrappingKey(context);
  const both = () =>
    signer
      .call('deriveAndSeal', [wrappingKey, accountId, first, second, other], {
        signal,
        transfer: [first.buffer, second.buffer],
      })
      .catch((error: unknown) => {
        if (isCancellation(error)) throw error;
        throw new LatchkeyError(CRYPTO_FAILED, { message: linkText('nearKey'), cause: error });
      });
  const [vrf, opened] = await besideVrfKeypair(context, accountId, prf, signal, both);
  const { derived, sealed, other: encrypted } = opened;
  hold(context, { wrappingKey, sealed }, ...(other ? [other] : []));
  const replaces = other && encrypted && { publicKey: other.sealed.publicKey, ...encrypted };
  const passkeyProven = await isProven(signer, accountId, derived, proof, signal);
  return { challenge, registration, confirmed, key: derived, replaces, ...vrf, passkeyProven };
}
