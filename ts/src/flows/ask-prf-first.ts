import type { KnownCredential } from '../webauthn/passkeys.js';
import { wipe } from '../webauthn/prf.js';
import type { FlowContext } from './context.js';
import { type Asking, askVerified, ownChallenge } from './verified-passkey.js';

/**
 * Asks for one of the account's passkeys, over a random challenge that is never verified, and returns PRF.first
 * (32 bytes). The caller wipes it. One prompt, or two as {@link askVerified} says.
 */
export async function askPrfFirst(
  context: Pick<FlowContext, 'rpId' | 'credentials'>,
  accountId: string,
  allow: readonly KnownCredential[],
  signal: AbortSignal,
  asking: Asking,
): Promise<Uint8Array<ArrayBuffer>> {
  const request = { accountId, allow, challenge: ownChallenge, signal };
  const { prf } = await askVerified(context, request, asking);
  wipe(prf.second);
  return prf.first;
}
