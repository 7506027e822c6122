/** The bytes that NEP-413 signs. Source: NEP-413, "Signature"; the Rust home is `crates/nep413`. */

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

/** The length of the UTF-8 in bytes as u32, then the UTF-8. */
function text(value: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(value);
  return concat([u32(bytes.length), bytes]);
}

function u32(value: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * Whether a text encodes to UTF-8 without loss. The encoder replaces half a surrogate pair by U+FFFD, so that two
 * texts would share one signature.
 */
export function isWellFormed(value: string): boolean {
  return !/\p{Surrogate}/u.test(value);
}
