import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readNear, writeNear } from './near-amount.js';

it.each([
  ['0', 0n],
  ['1', 10n ** 24n],
  ['0.03', 3n * 10n ** 22n],
  ['12.000000000000000000000001', 12n * 10n ** 24n + 1n],
])('reads %s NEAR to the yocto', (text, yocto) => {
  expect(readNear(text)).toBe(yocto);
});

it.each([
  '',
  ' ',
  '.5',
  '5.',
  '1e3',
  '-1',
  '1,5',
  '0x1',
  'NaN',
  '1.0000000000000000000000001',
  '9999999999999',
])('refuses %j', (text) => {
  expect(readNear(text)).toBeNull();
});

it('reads what it writes', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 36n - 1n }), (yocto) => {
      expect(readNear(writeNear(yocto))).toBe(yocto);
    }),
  );
});
