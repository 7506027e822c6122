import type { AuthenticatorRecord } from '../storage/records.js';
import { assertPasskey, randomChallenge } from '../webauthn/passkeys.js';
import { prfMissing, wipe } from '../webauthn/prf.js';
import type { FlowContext } from './context.js';

/**
 * Asks for one of the account's passkeys, over a challenge that nobody verifies, and answers PRF.first (32 bytes), which
 * is the caller's to wipe. One prompt.
 */
export async function askPrfFirst(
  { rpId, credentials }: FlowContext,
  accountId: string,
  authenticators: readonly AuthenticatorRecord[],
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = randomChallenge();
  const { prf } = await assertPasskey({
    rpId,
    credentials,
    accountId,
    challenge,
    allow: authenticators,
    signal,
  });
  if (prf.kind !== 'outputs') throw prfMissing();
  wipe(prf.outputs.second);
  return prf.outputs.first;
}
