/** Canonical JSON: compact, the keys of every object sorted, array order kept. */
import { LatchkeyError, UI_DIGEST_VALIDATION_FAILED } from '../errors/core.js';

export type Json = null | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * Writes `value` as canonical JSON. The Rust crate `latchkey-intent` writes the same bytes.
 *
 * @throws LatchkeyError UI_DIGEST_VALIDATION_FAILED for text with half a surrogate pair: it has no UTF-8.
 */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, sorted);
}

/** What `JSON.stringify` writes for an item: it comes back for what is inside. */
function sorted(_key: string, item: Json): Json {
  if (typeof item === 'string') return wellFormed(item);
  if (item === null || typeof item !== 'object' || Array.isArray(item)) return item;
  return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function wellFormed(text: string): string {
  if (/\p{Surrogate}/u.test(text)) {
    throw new LatchkeyError(UI_DIGEST_VALIDATION_FAILED, {
      details: { reason: 'text with half a surrogate pair' },
    });
  }
  return text;
}
