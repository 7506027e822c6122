import { assertPasskey, type KnownCredential, randomChallenge } from '../webauthn/passkeys.js';
import { prfMissing, wipe } from '../webauthn/prf.js';
import type { FlowContext } from './context.js';

/**
 * Asks for one of the account's passkeys, over a random challenge that is never verified, and returns PRF.first
 * (32 bytes). The caller wipes it. One prompt.
 */
export async function askPrfFirst(
  { rpId, credentials }: Pick<FlowContext, 'rpId' | 'credentials'>,
  accountId: string,
  allow: readonly KnownCredential[],
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = randomChallenge();
  const { prf } = await assertPasskey({
    rpId,
    credentials,
    accountId,
    challenge,
    allow,
    signal,
  });
  if (prf.kind !== 'outputs') throw prfMissing(prf.reason);
  wipe(prf.outputs.second);
  return prf.outputs.first;
}
