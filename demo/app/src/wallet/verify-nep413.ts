import { base58, base64 } from '@scure/base';

/** A message as NEP-413 signs it. */
export interface Nep413Message {
  message: string;
  recipient: string;
  /** 32 bytes. */
  nonce: Uint8Array;
  callbackUrl?: string;
}

const TAG = 2 ** 31 + 413;

/** The payload that NEP-413 hashes: the tag as u32 LE, then message, nonce, recipient, optional callback URL in borsh. */
function nep413Payload({ message, recipient, nonce, callbackUrl }: Nep413Message): Uint8Array<ArrayBuffer> {
  const option = callbackUrl === undefined ? [u8(0)] : [u8(1), ...text(callbackUrl)];
  return concat([u32(TAG), ...text(message), nonce, ...text(recipient), ...option]);
}

/** Whether the key (`ed25519:` and base58) made this signature (base64) over the message. */
export async function verifyNep413(
  signed: Nep413Message,
  publicKey: string,
  signature: string,
): Promise<boolean> {
  const raw = new Uint8Array(base58.decode(publicKey.replace(/^ed25519:/, '')));
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
  const hash = await crypto.subtle.digest('SHA-256', nep413Payload(signed));
  return crypto.subtle.verify('Ed25519', key, new Uint8Array(base64.decode(signature)), hash);
}

function text(value: string): Uint8Array[] {
  const bytes = new TextEncoder().encode(value);
  return [u32(bytes.length), bytes];
}

function u8(value: number): Uint8Array {
  return Uint8Array.of(value);
}

function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
