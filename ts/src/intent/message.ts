/** The digest of a NEP-413 message. */
import { canonicalJson } from './canonical-json.js';
import { digestOf } from './digest.js';

export interface Nep413Intent {
  readonly accountId: string;
  readonly message: string;
  readonly recipient: string;
  /** Standard base64 of 32 bytes. */
  readonly nonce: string;
  readonly callbackUrl?: string | undefined;
}

/** Approves the signing of a NEP-413 message. */
export function nep413Digest(intent: Nep413Intent): Promise<string> {
  return digestOf(nep413Text(intent));
}

/** The canonical JSON that {@link nep413Digest} hashes. */
export function nep413Text({ accountId, message, recipient, nonce, callbackUrl }: Nep413Intent): string {
  return canonicalJson({
    kind: 'nep413',
    callbackUrl: callbackUrl ?? null,
    message,
    nearAccountId: accountId,
    nonce,
    recipient,
  });
}
