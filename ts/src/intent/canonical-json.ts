/** Canonical JSON: compact, the keys of every object sorted, array order kept. */
import { LatchkeyError } from '../errors/latchkey-error.js';

export type Json = null | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * Writes `value` as canonical JSON. The Rust crate `latchkey-intent` writes the same bytes.
 *
 * @throws LatchkeyError UI_DIGEST_VALIDATION_FAILED for text with half a surrogate pair: it has no UTF-8.
 */
export function canonicalJson(value: Json): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: Json): Json {
  if (typeof value === 'string') return wellFormed(value);
  if (value === null || typeof value !== 'object') return value;
  if (isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}

function wellFormed(text: string): string {
  if (/\p{Surrogate}/u.test(text)) {
    throw new LatchkeyError('UI_DIGEST_VALIDATION_FAILED', {
      details: { reason: 'text with half a surrogate pair' },
    });
  }
  return text;
}

const isArray: (value: unknown) => value is readonly Json[] = Array.isArray;
