import { describe, expect, it } from 'vitest';
import { imitations } from './imitation.js';

const named = (contractId: string, symbol: string, name = symbol) => ({ contractId, symbol, name });

describe('a token that imitates', () => {
  it.each([
    'NEAR',
    'near',
    'ΝΕΑR',
    'NЕАR',
    'ＮＥＡＲ',
    'ɴᴇᴀʀ',
    'N3AR',
    '$NEAR',
    'N.E.A.R',
    'NÉAR',
    'NEAЯ',
    'NEAR Protocol',
  ])('NEAR by the symbol %s is marked [S92]', (symbol) => {
    expect(imitations([named('x.near', symbol, 'Something')], ['x.near']).get('x.near')).toBe('NEAR');
  });

  it('NEAR by its name is marked, and wrapped NEAR anywhere but at its own contract', () => {
    expect(imitations([named('x.near', 'X', 'NEAR token')], []).get('x.near')).toBe('NEAR');
    expect(imitations([named('x.near', 'wNEAR', 'W')], []).get('x.near')).toBe('NEAR');
    const wrapped = named('wrap.near', 'wNEAR', 'Wrapped NEAR fungible token');
    expect(imitations([wrapped], []).size).toBe(0);
  });

  it.each(['USDC', 'USDС', 'usdc', 'U5DC', 'USDc'])(
    'a chosen token by %s is marked with it, and the chosen one is not',
    (symbol) => {
      const tokens = [named('usdc.near', 'USDC', 'USD Coin'), named('scam.near', symbol, 'Free')];
      expect([...imitations(tokens, ['usdc.near'])]).toEqual([['scam.near', 'usdc.near']]);
    },
  );

  it('by the name of another’s symbol is marked', () => {
    const tokens = [named('usdc.near', 'USDC', 'USD Coin'), named('scam.near', 'X', 'usdc')];
    expect(imitations(tokens, ['usdc.near']).get('scam.near')).toBe('usdc.near');
  });

  it('of two chosen ones, the later is marked; of two that nobody chose, both [S92]', () => {
    const tokens = [named('a.near', 'GOLD'), named('b.near', 'GOLD')];
    expect([...imitations(tokens, ['b.near', 'a.near'])]).toEqual([['a.near', 'b.near']]);
    expect(imitations(tokens, []).size).toBe(2);
  });

  it.each([
    ['USDC', 'USDT'],
    ['NEARX', 'stNEAR'],
    ['🪙', '💎'],
    ['金', '銀'],
  ])('is not one with another name: %s and %s', (one, other) => {
    expect(imitations([named('a.near', one), named('b.near', other)], []).size).toBe(0);
  });
});
