/** The keys of a passkey that joins an account. The NEAR key is sealed: it signs later, without another prompt. */
import { isCancellation, LatchkeyError, linkText } from '../../errors/linking.js';
import type { SealedKey } from '../../workers/sealed-key.js';
import type { Signer } from '../../workers/signer-pool.js';
import type { FlowContext } from '../context.js';
import {
  besideVrfKeypair,
  confirmCredential,
  type MadeDevice,
  type MadePasskey,
} from '../registration/new-passkey.js';

/** Derives them as deriveKeys does. The passkey's secrets are transferred to the workers. */
export async function deriveSealedKeys(
  context: FlowContext,
  signer: Signer,
  accountId: string,
  passkey: MadePasskey,
  signal: AbortSignal,
): Promise<MadeDevice & { readonly sealed: SealedKey }> {
  const { challenge, registration, prf } = passkey;
  const { first, second } = prf;
  const wrappingKey = await context.store.wrappingKey();
  const both = () =>
    signer
      .call('deriveAndSeal', [wrappingKey, accountId, first, second], {
        signal,
        transfer: [first.buffer, second.buffer],
      })
      .catch((error: unknown) => {
        if (isCancellation(error)) throw error;
        throw new LatchkeyError('CRYPTO_FAILED', { message: linkText('nearKey'), cause: error });
      });
  const [[vrf, { derived, sealed }], confirmed] = await Promise.all([
    besideVrfKeypair(context, accountId, prf, signal, both),
    confirmCredential(context, signer, passkey),
  ]);
  return { challenge, registration, confirmed, key: derived, sealed, ...vrf };
}
