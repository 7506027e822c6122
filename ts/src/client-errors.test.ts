import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { carriedBytes } from './client-errors.js';

describe('a nonce that an adapter carries', () => {
  it.each([
    ['a Uint8Array', Uint8Array.of(7, 255)],
    ['a list of numbers', [7, 255]],
    ['a Uint8Array of another realm', runInNewContext('Uint8Array.of(7, 255)')],
    ['an ArrayBuffer of another realm', runInNewContext('Uint8Array.of(7, 255).buffer')],
    ['a DataView of another realm', runInNewContext('new DataView(Uint8Array.of(7, 255).buffer)')],
    ['a list of another realm', runInNewContext('[7, 255]')],
  ])('is read from %s', (_, given) => {
    const bytes = carriedBytes('nonce', given);
    expect(bytes).toBeInstanceOf(Uint8Array);
    expect([...bytes]).toEqual([7, 255]);
  });

  it('is named where it is not bytes', () => {
    expect(() => carriedBytes('nonce', 'text')).toThrow(
      expect.objectContaining({
        code: 'ACTION_NOT_CARRIED',
        message: expect.stringMatching(/nonce as .*, which is not bytes/),
      }),
    );
  });
});
