import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { writeJson } from './json.js';

class Coin {
  toJSON(): string {
    return 'ff';
  }
}

describe('JSON', () => {
  it('is written of plain values as JSON.stringify writes them, of any realm', () => {
    const value = { a: [1, -0, 1.5, null, true, 'é\ud800'], b: { constructor: 1 }, c: undefined };
    for (const given of [value, [value], runInNewContext('({ a: [{ b: 1 }] })'), Object.create(null)]) {
      expect(writeJson(given)).toBe(JSON.stringify(given));
    }
    const shared = { x: 1 };
    expect(writeJson({ one: shared, other: shared })).toBe('{"one":{"x":1},"other":{"x":1}}');
  });

  it.each<[unknown, string]>([
    [{ receiver: new Map([['a', 1]]) }, 'receiver is a Map'],
    [{ list: [new Set()] }, 'list.0 is a Set'],
    [{ at: new Date(0) }, 'at is a Date'],
    [{ deposit: { of: new Coin() } }, 'deposit.of is an instance of Coin'],
    [{ bytes: Uint8Array.of(1) }, 'bytes is a Uint8Array'],
    [{ bytes: new ArrayBuffer(1) }, 'bytes is an ArrayBuffer'],
    [{ call: () => 1 }, 'call is a function'],
    [{ call: Symbol('x') }, 'call is a symbol'],
    [{ amount: 1n }, 'amount is a bigint'],
    [{ amount: Number.NaN }, 'amount is NaN'],
    [{ amount: Number.POSITIVE_INFINITY }, 'amount is Infinity'],
    [{ list: [1, undefined] }, 'list.1 is undefined'],
    [{ toJSON: () => undefined }, 'toJSON is a function'],
    [new Map(), 'it is a Map'],
    [undefined, 'it is undefined'],
  ])('is not written of %o', (value, problem) => {
    expect(() => writeJson(value)).toThrow(new TypeError(problem));
  });
});
