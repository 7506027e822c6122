import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { SignNep413Params } from '../../types.js';
import { completeMessage } from './sign-nep413.js';

const complete = (nonce: unknown) =>
  completeMessage({ message: 'hello', recipient: 'app.testnet', nonce } as SignNep413Params).nonce;

describe('the nonce of a message', () => {
  it.each([
    ['a Uint8Array', new Uint8Array(32).fill(7)],
    ['a Uint8Array of another realm', runInNewContext('new Uint8Array(32).fill(7)')],
    ['an ArrayBuffer of another realm', runInNewContext('new Uint8Array(32).fill(7).buffer')],
    ['a DataView of another realm', runInNewContext('new DataView(new Uint8Array(32).fill(7).buffer)')],
  ])('is taken from %s, in a copy', (_, given) => {
    const nonce = complete(given);
    new Uint8Array(ArrayBuffer.isView(given) ? given.buffer : given).fill(0);
    expect(nonce).toEqual(new Uint8Array(32).fill(7));
  });

  it.each([
    ['31 bytes of another realm', runInNewContext('new Uint8Array(31)')],
    ['numbers', Array(32).fill(7)],
    ['a text', '7'.repeat(32)],
  ])('is refused where it is %s', (_, given) => {
    expect(() => complete(given)).toThrow('the nonce must be 32 bytes');
  });

  it.each([null, undefined])('is made where it is %s', (absent) => {
    expect(complete(absent)).toHaveLength(32);
    expect(complete(absent)).not.toEqual(complete(absent));
  });
});
