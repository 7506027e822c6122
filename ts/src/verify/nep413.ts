/** The bytes that NEP-413 signs. Source: NEP-413, "Signature"; the Rust home is `crates/nep413`. */

import { concat, text, u32 } from '../borsh.js';

export const NONCE_LENGTH = 32;

/** 2^31 + 413 (NEP-461), so that a message's signature never fits a transaction. */
const TAG = 2_147_484_061;

export interface Nep413Payload {
  readonly message: string;
  /** 32 bytes. */
  readonly nonce: Uint8Array;
  readonly recipient: string;
  readonly callbackUrl?: string | undefined;
}

/** SHA-256, 32 bytes, of the tag and the payload's borsh bytes: the signed bytes. */
export async function nep413Hash(payload: Nep413Payload): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', nep413Bytes(payload)));
}

/** The tag as u32, then message, nonce, recipient and the optional callback URL in borsh; all little-endian. */
function nep413Bytes({ message, nonce, recipient, callbackUrl }: Nep413Payload): Uint8Array<ArrayBuffer> {
  const option = callbackUrl === undefined ? [Uint8Array.of(0)] : [Uint8Array.of(1), text(callbackUrl)];
  return concat([u32(TAG), text(message), nonce, text(recipient), ...option]);
}
