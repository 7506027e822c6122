import { base58, hex } from '@scure/base';
import { expect, it } from 'vitest';
import { isIdOf } from './id-of-key.js';

const bytes = new Uint8Array(32).fill(0xab);
const key = `ed25519:${base58.encode(bytes)}`;

it('a key proves the account whose id it is, and no other', () => {
  expect(isIdOf(hex.encode(bytes), key)).toBe(true);
  expect(isIdOf('cd'.repeat(32), key)).toBe(false);
  expect(isIdOf(hex.encode(bytes).toUpperCase(), key)).toBe(false);
});

it('a key of another length or kind proves no account', () => {
  const short = bytes.subarray(0, 20);
  expect(isIdOf(hex.encode(short), `ed25519:${base58.encode(short)}`)).toBe(false);
  expect(isIdOf(hex.encode(bytes), key.replace('ed25519:', 'secp256k1:'))).toBe(false);
  expect(isIdOf('', 'secp256k1:')).toBe(false);
});
