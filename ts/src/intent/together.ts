/** The digest of several intents that one prompt approves. */
import { canonicalJson } from './canonical-json.js';
import { digestOf } from './digest.js';

/** Approves all of these with one prompt, in this order. Each is a digest in base64url. */
export function togetherDigest(digests: readonly string[]): Promise<string> {
  return digestOf(togetherText(digests));
}

/** The canonical JSON that {@link togetherDigest} hashes. */
export function togetherText(digests: readonly string[]): string {
  return canonicalJson({ kind: 'together', digests: [...digests] });
}
