/** The parts of borsh that signed messages need: https://borsh.io. Numbers are little-endian. */

/** 4 bytes. */
export function u32(value: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

/** 8 bytes. */
export function u64(value: bigint): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

/** The length of the UTF-8 in bytes as u32, then the UTF-8. */
export function text(value: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(value);
  return concat([u32(bytes.length), bytes]);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
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
