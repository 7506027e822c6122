/** The code that both devices of a linking show. It catches a mix-up of two codes, not a QR code shown by a phisher. */
import { base32nopad } from '@scure/base';

const LENGTH = 8;

/** 8 base32 characters (RFC 4648) of the SHA-256 of the key's text, `ed25519:...`. */
export async function checkCode(publicKey: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(publicKey));
  return base32nopad.encode(new Uint8Array(hash)).slice(0, LENGTH);
}
