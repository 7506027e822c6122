import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalOrigin } from './origin.js';

describe('canonicalOrigin', () => {
  it.each([
    ['https://app.example', 'https://app.example'],
    ['HTTPS://App.Example', 'https://app.example'],
    ['https://app.example:443', 'https://app.example'],
    ['https://app.example:8443', 'https://app.example:8443'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['http://app.localhost:80', 'http://app.localhost'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
  ])('reads %s as %s', (text, canonical) => {
    expect(canonicalOrigin(text)).toBe(canonical);
    // The browser writes it the same way.
    expect(new URL(text).origin).toBe(canonical);
  });

  it.each([
    'http://app.example',
    'https://app.example/',
    'https://app.example/path',
    'https://app.example?query',
    'https://app.example#fragment',
    'https://user@app.example',
    'https://*.app.example',
    'https://app.example.',
    'https://.app.example',
    'https://app..example',
    'https://-app.example',
    'https://app_.example',
    'https://app.example:0',
    'https://app.example:65536',
    'https://app.example:08443',
    'https://10.0.0.1',
    'https://0x7f.1',
    'https://[::1]',
    'http://127.0.0.2',
    'http://localhost.example',
    'http://evillocalhost',
    'https://app.example ',
    ' https://app.example',
    'https://bücher.example',
    'ftp://app.example',
    'null',
    '',
    `https://${'a.'.repeat(200)}example`,
  ])('refuses %s', (text) => {
    expect(canonicalOrigin(text)).toBeNull();
  });

  it('returns only origins that a browser serialises the same way', () => {
    const part = fc.stringMatching(/^[a-zA-Z0-9.:*_-]{0,20}$/);
    fc.assert(
      fc.property(fc.constantFrom('http', 'https', 'HTTPS'), part, (scheme, rest) => {
        const canonical = canonicalOrigin(`${scheme}://${rest}`);
        if (canonical === null) return;
        expect(new URL(canonical).origin).toBe(canonical);
        expect(canonicalOrigin(canonical)).toBe(canonical);
      }),
    );
  });
});
