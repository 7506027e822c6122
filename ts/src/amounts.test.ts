import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatNear, parseNear, parseTgas } from './amounts.js';

describe('amounts (demo 2)', () => {
  it('converts NEAR to yoctoNEAR and back to the last digit', () => {
    expect(parseNear('0.5')).toBe('500000000000000000000000');
    expect(parseNear('1')).toBe(`1${'0'.repeat(24)}`);
    expect(formatNear('1')).toBe('0.000000000000000000000001');
    expect(formatNear(10n ** 24n)).toBe('1');
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 36n - 1n }), (yocto) => {
        expect(parseNear(formatNear(yocto))).toBe(String(yocto));
      }),
    );
  });

  it('converts Tgas to gas', () => {
    expect(parseTgas('30')).toBe('30000000000000');
    expect(parseTgas('0.5')).toBe('500000000000');
  });

  it.each(['', ' 1', '1,5', '-1', '1e3', '0.0000000000000000000000001', 'NaN', null, undefined, {}])(
    'refuses %j with a text that names it and what is wanted',
    (text) => {
      const refusal = expect.objectContaining({
        code: 'INVALID_AMOUNT',
        message: expect.stringContaining(`"${text}" is not an amount of NEAR such as 0.5`),
      });
      expect(() => parseNear(text as string)).toThrow(refusal);
    },
  );

  it('refuses yoctoNEAR with a sign or a point, and gas in words', () => {
    for (const text of ['1.5', '-1', '', 'many']) expect(() => formatNear(text)).toThrow('yoctoNEAR');
    for (const text of ['30 Tgas', '', '-1']) expect(() => parseTgas(text)).toThrow('Tgas');
  });
});
