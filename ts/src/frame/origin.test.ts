import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalOrigin } from './origin.js';

/** The registry and the workers read the same vectors: crates/webauthn/src/tests/origins.rs. */
const { accepted, refused } = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/origins.json', import.meta.url), 'utf8'),
) as {
  accepted: { text: string; canonical: string }[];
  refused: { text: string; why: string }[];
};

describe('canonicalOrigin (core 5, frame 8, frame 10)', () => {
  it.each(accepted)('reads $text as $canonical', ({ text, canonical }) => {
    expect(canonicalOrigin(text)).toBe(canonical);
    // The browser writes it the same way.
    expect(new URL(text).origin).toBe(canonical);
  });

  it.each(refused)('refuses $text: $why', ({ text }) => {
    expect(canonicalOrigin(text)).toBeNull();
  });

  it('returns only origins that a browser serialises the same way', () => {
    const part = fc.stringMatching(/^[a-zA-Z0-9.:*_-]{0,20}$/).filter((text) => !/xn--/i.test(text));
    fc.assert(
      fc.property(fc.constantFrom('http', 'https', 'HTTPS'), part, (scheme, rest) => {
        const text = `${scheme}://${rest}`;
        const canonical = canonicalOrigin(text);
        if (canonical === null) return;
        expect(new URL(text).origin).toBe(canonical);
        expect(canonicalOrigin(canonical)).toBe(canonical);
      }),
    );
  });
});
