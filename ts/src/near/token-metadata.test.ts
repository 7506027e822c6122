import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { shownName, shownSymbol, TokenMetadataSchema } from './token-metadata.js';

describe('the symbol of a token', () => {
  it.each([
    ['USDt', 'USDt'],
    ['wrap.near', 'wrap.near'],
    [' N E\tA\u00a0R\n', 'NEAR'],
    ['\u202eRAEN', 'RAEN'],
    ['N\u200bE\u2800AR\u3164', 'NEAR'],
    ['Z\u0301A\u0300', 'ZA'],
    ['”A“, "B\', `C„‚«»', 'A,B,C'],
    ['\u200b"', ''],
  ])('is shown without what hides, reorders or closes quotes: %j', (symbol, shown) => {
    expect(shownSymbol(symbol)).toBe(shown);
  });

  it('is shown with 16 characters at most, and cuts none in half', () => {
    expect(shownSymbol('A'.repeat(17))).toBe('A'.repeat(16));
    expect(shownSymbol('🪙'.repeat(17))).toBe('🪙'.repeat(16));
  });

  it('is read no further than 256 characters', () => {
    expect(shownSymbol(`${' '.repeat(255)}AB`)).toBe('A');
  });
});

describe('the name of a token', () => {
  it.each([
    ['Tether USD', 'Tether USD'],
    ['  Wrapped \n\t NEAR ', 'Wrapped NEAR'],
    ['Wrapped \u200b " NEAR', 'Wrapped NEAR'],
    ['\u202eNEAR\u2066 "fungible" token', 'NEAR fungible token'],
    ['', ''],
    [' \u200b ', ''],
  ])('is shown in words, without what hides, reorders or closes quotes: %j', (name, shown) => {
    expect(shownName(name)).toBe(shown);
  });

  it('is shown with 40 characters at most, and cuts none in half', () => {
    expect(shownName('ab '.repeat(20))).toBe('ab '.repeat(14).slice(0, 40));
    expect(shownName('🪙'.repeat(41))).toBe('🪙'.repeat(40));
  });

  it('is read no further than 256 characters', () => {
    expect(shownName(`${' '.repeat(255)}AB`)).toBe('A');
  });
});

it('an amount of a token has between 0 and 38 decimals', () => {
  const isRead = (decimals: unknown) => v.is(TokenMetadataSchema, { symbol: 'USDt', decimals });
  expect([0, 6, 38].map(isRead)).toEqual([true, true, true]);
  expect([-1, 39, 1.5, '6', undefined].map(isRead)).toEqual([false, false, false, false, false]);
  expect(v.is(TokenMetadataSchema, { decimals: 6 })).toBe(false);
});
