/**
 * The code that both devices of a linking show. It tells a user that the key in the scanned code is the key of the
 * device that shows it. It does not recognise a QR code that a phisher shows: its device shows the same code.
 */
import { base32nopad } from '@scure/base';

/** 16 characters of 5 bits. */
const LENGTH = 16;
const DOMAIN = 'latchkey-link-v2';

/**
 * 16 base32 characters (RFC 4648): the first 80 bits of SHA-256 of `latchkey-link-v2` and the key's text, `ed25519:...`.
 * Another key with the same code takes 2^80 tries on average, and only the key goes into the code.
 */
export async function checkCode(publicKey: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(DOMAIN + publicKey));
  return base32nopad.encode(new Uint8Array(hash)).slice(0, LENGTH);
}
