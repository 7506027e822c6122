/** The passkey's PRF extension (W3C WebAuthn Level 3, section 10.1.4): salts in, two 32-byte secrets out. */
import { bytesOf } from '../bytes.js';
import { LACKING_PRF_TEXT, LatchkeyError, PRF_MISSING } from '../errors/wallet.js';
import { isNearImplicitAccountId } from '../near/account-id.js';
import { bytes, part } from './forms.js';

const SALT_LENGTH = 32;
const OUTPUT_LENGTH = 32;
const NO_RESULTS = 'Missing PRF results from credential, use a PRF-enabled Authenticator';

/** Both outputs, each in a buffer of its own so that it can be transferred to a worker. */
export interface PrfOutputs {
  readonly first: Uint8Array<ArrayBuffer>;
  readonly second: Uint8Array<ArrayBuffer>;
}

/**
 * The two salts of an account: 32 bytes, zero-filled, cut. They hold its name; the id of an account without one is not known
 * before its outputs, so that all of these have the same salts, those of an empty `accountId`.
 */
export function prfSalts(accountId: string): PrfOutputs {
  const name = isNearImplicitAccountId(accountId) ? '' : accountId;
  return { first: salt('chacha20-salt', name), second: salt('ed25519-salt', name) };
}

function salt(prefix: string, name: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SALT_LENGTH);
  bytes.set(new TextEncoder().encode(`${prefix}:${name}`).subarray(0, SALT_LENGTH));
  return bytes;
}

/** What a ceremony returned: both outputs, one of them alone, or none; `reason` is for the developer who looks into the error. */
export type PrfAnswer =
  | { readonly kind: 'outputs'; readonly outputs: PrfOutputs }
  | { readonly kind: 'half' | 'none'; readonly reason: string };

/**
 * Takes both outputs out of the extension results of a ceremony, in any form that carries exactly 32 bytes: buffers and views
 * of any realm, lists of numbers, base64. What the results say of `enabled` is not reliable and counts for nothing. An
 * output that is all zero is none, and two that are equal are none. The outputs that it does not return are wiped.
 */
export function takePrf(extensionResults: unknown): PrfAnswer {
  const results = part(part(extensionResults, 'prf'), 'results');
  const [givenFirst, givenSecond] = [part(results, 'first'), part(results, 'second')];
  const [first, second] = [take(givenFirst), take(givenSecond)];
  if (first && second && !isEqual(first, second)) return { kind: 'outputs', outputs: { first, second } };
  wipe(first, second);
  if (first && second) return { kind: 'none', reason: 'PRF results are equal' };
  const lacking = first ? 'second' : 'first';
  const given = first ? givenSecond : givenFirst;
  if (given) return { kind: first || second ? 'half' : 'none', reason: `PRF result too weak: ${lacking}` };
  if (first || second) return { kind: 'half', reason: `Missing PRF result: ${lacking}` };
  return { kind: 'none', reason: NO_RESULTS };
}

/** The output in a buffer of its own, or undefined. Copies only where the source holds anything else, and wipes that. */
function take(source: unknown): Uint8Array<ArrayBuffer> | undefined {
  const view = bytesOf(source);
  const isOwn = view !== undefined && view.length === view.buffer.byteLength;
  const output = isOwn ? view : bytes(source);
  if (!isOwn) wipe(view);
  if (Array.isArray(source) && !Object.isFrozen(source)) source.fill(0);
  if (output?.length === OUTPUT_LENGTH && output.some((byte) => byte !== 0)) return output;
  wipe(output);
  return undefined;
}

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => one.every((byte, at) => byte === other[at]);

/**
 * PRF_MISSING with the lower-level reason as its cause's cause; the flow adds its own name. `again`: the same prompt may
 * give them, such as right after the passkey was made.
 */
export function prfMissing(reason = NO_RESULTS, again = false): LatchkeyError {
  const cause = new Error(LACKING_PRF_TEXT, { cause: new Error(reason) });
  return new LatchkeyError(PRF_MISSING, {
    values: { operation: 'Operation' },
    details: again ? { again } : {},
    cause,
  });
}

/** Zero-fills secrets that were not transferred to a worker (transferred ones are empty here). */
export function wipe(...secrets: readonly (Uint8Array | undefined)[]): void {
  for (const secret of secrets) if (secret && secret.byteLength > 0) secret.fill(0);
}

/** Zero-fills the outputs of an answer that goes no further, or of which another window has its own copy. */
export function wipeAnswer(answer: PrfAnswer): void {
  if (answer.kind === 'outputs') wipe(answer.outputs.first, answer.outputs.second);
}
