/** The passkey's PRF extension (W3C WebAuthn Level 3, section 10.1.4): salts in, two 32-byte secrets out. */
import { bytesOf } from '../bytes.js';
import { LACKING_TEXTS, LatchkeyError } from '../errors/index.js';

const SALT_LENGTH = 32;
const MIN_OUTPUT_LENGTH = 32;

/** Both outputs, each in a buffer of its own so that it can be transferred to a worker. */
export interface PrfOutputs {
  readonly first: Uint8Array<ArrayBuffer>;
  readonly second: Uint8Array<ArrayBuffer>;
}

/** The two salts of an account: 32 bytes, zero-filled, cut. */
export function prfSalts(accountId: string): PrfOutputs {
  return { first: salt('chacha20-salt', accountId), second: salt('ed25519-salt', accountId) };
}

function salt(prefix: string, accountId: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SALT_LENGTH);
  bytes.set(new TextEncoder().encode(`${prefix}:${accountId}`).subarray(0, SALT_LENGTH));
  return bytes;
}

/** What a ceremony returned: outputs, the promise of outputs at the next get(), or nothing. */
export type PrfAnswer =
  | { readonly kind: 'outputs'; readonly outputs: PrfOutputs }
  | { readonly kind: 'enabled' }
  | { readonly kind: 'none' };

/**
 * Takes the outputs out of the browser's results. Throws PRF_MISSING when only one is there, or one is shorter
 * than 32 bytes or all zero.
 */
export function takePrf(credential: PublicKeyCredential): PrfAnswer {
  const { prf } = credential.getClientExtensionResults();
  const results = prf?.results;
  if (!results?.first) return { kind: prf?.enabled ? 'enabled' : 'none' };
  const first = take(results.first, 'first');
  try {
    return { kind: 'outputs', outputs: { first, second: take(results.second, 'second') } };
  } catch (error) {
    wipe(first);
    throw error;
  }
}

function take(source: BufferSource | undefined, name: 'first' | 'second'): Uint8Array<ArrayBuffer> {
  if (!source) throw prfMissing(`Missing PRF result: ${name}`);
  const bytes = ownBytes(source);
  if (!bytes || bytes.length < MIN_OUTPUT_LENGTH || bytes.every((byte) => byte === 0)) {
    wipe(bytes);
    throw prfMissing(`PRF result too weak: ${name}`);
  }
  return bytes;
}

/** The bytes in a buffer of their own; copies only when the browser's buffer holds anything else. */
function ownBytes(source: BufferSource): Uint8Array<ArrayBuffer> | undefined {
  const view = bytesOf(source);
  if (!view || view.length === view.buffer.byteLength) return view;
  const copy = view.slice();
  view.fill(0);
  return copy;
}

/** PRF_MISSING with the lower-level reason as its cause's cause; the flow adds its own name. */
export function prfMissing(
  reason = 'Missing PRF results from credential, use a PRF-enabled Authenticator',
): LatchkeyError {
  const cause = new Error(LACKING_TEXTS.prf, { cause: new Error(reason) });
  return new LatchkeyError('PRF_MISSING', { values: { operation: 'Operation' }, cause });
}

/** Zero-fills secrets that were not transferred to a worker (transferred ones are empty here). */
export function wipe(...secrets: readonly (Uint8Array | undefined)[]): void {
  for (const secret of secrets) if (secret && secret.byteLength > 0) secret.fill(0);
}
