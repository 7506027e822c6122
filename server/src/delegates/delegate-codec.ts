/**
 * Reads signed delegates (NEP-366) from bytes that strangers send. The relay's WASM decodes them as strictly as the
 * chain does, so the policy judges exactly what the chain executes. The module must be loaded.
 */
import {
  isDelegateSigned,
  type ReceivedDelegate,
  readSignedDelegate as read,
} from '../../wasm/relay/relay.js';
import { Refusal } from '../http/refusal.js';

export type { ActionKind, ReceivedAction } from '../../wasm/relay/relay.js';

export interface SignedDelegate extends Readonly<ReceivedDelegate> {
  /** Delegate and signature, as they arrived. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Reads a signed delegate; verifies no signature. Throws a {@link Refusal}: `invalid_request` for malformed bytes,
 * `not_allowed` for kinds of action that the relay never pays for.
 */
export function readSignedDelegate(bytes: Uint8Array): SignedDelegate {
  const own = bytes.slice();
  try {
    return { ...read(own), bytes: own };
  } catch (error) {
    throw toRefusal(error) ?? error;
  }
}

/** Whether the delegate's own key signed it. */
export function isSignatureValid({ bytes }: Pick<SignedDelegate, 'bytes'>): boolean {
  return isDelegateSigned(bytes);
}

/** Undefined for an error that is not about the bytes. */
function toRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined;
  switch (error.code) {
    case 'MALFORMED':
      return new Refusal('invalid_request', error.message);
    case 'UNSUPPORTED':
      return new Refusal('not_allowed', error.message);
    default:
      return undefined;
  }
}
