import { base64urlnopad } from '@scure/base';
import { describe, expect, it } from 'vitest';
import type { WebAuthnAuthentication } from '../workers/signer-api.js';
import { backupIn, flagsIn, isUserVerified } from './flags.js';

/** Authenticator data with these flags next to user presence and user verification. */
function answerWith(flags: number): WebAuthnAuthentication {
  const data = new Uint8Array(37).fill(0xff, 0, 32);
  data[32] = 0x05 | flags;
  return { response: { authenticatorData: base64urlnopad.encode(data) } } as WebAuthnAuthentication;
}

describe('the backup of a passkey', () => {
  it.each([
    ['device-bound', 'neither flag', 0x00],
    ['not-backed-up', 'BE alone', 0x08],
    ['backed-up', 'BE and BS', 0x18],
  ])('is %s with %s', (backup, _, flags) => {
    expect(backupIn(answerWith(flags))).toBe(backup);
  });
});

it('the user was verified only where the flag says so', () => {
  expect(isUserVerified(answerWith(0))).toBe(true);
  const data = new Uint8Array(37);
  data[32] = 0x19;
  const response = { authenticatorData: base64urlnopad.encode(data) };
  expect(isUserVerified({ response } as WebAuthnAuthentication)).toBe(false);
});

it('each flag is read from its own bit', () => {
  const flags = (byte: number) => flagsIn(Uint8Array.of(...new Array(32).fill(0xff), byte));
  const none = { UP: false, UV: false, BE: false, BS: false };
  expect(flags(0x01)).toEqual({ ...none, UP: true });
  expect(flags(0x04)).toEqual({ ...none, UV: true });
  expect(flags(0x08)).toEqual({ ...none, BE: true });
  expect(flags(0x10)).toEqual({ ...none, BS: true });
  expect(flags(0xe2)).toEqual(none);
});

it('authenticator data that ends before the flags has none', () => {
  expect(flagsIn(new Uint8Array(32))).toBeUndefined();
});
