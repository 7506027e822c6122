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
    [{ receiver: new Map([['a', 1]]) }, 'receiver is Map'],
    [{ list: [new Set()] }, '0 is Set'],
    [{ at: new Date(0) }, 'at is Date'],
    [{ deposit: { of: new Coin() } }, 'of is Coin'],
    [{ bytes: Uint8Array.of(1) }, 'bytes is Uint8Array'],
    [{ bytes: new ArrayBuffer(1) }, 'bytes is ArrayBuffer'],
    [{ call: () => 1 }, 'call is Function'],
    [{ call: Symbol('x') }, 'call is Symbol'],
    [{ amount: 1n }, 'amount is BigInt'],
    [{ amount: Number.NaN }, 'amount is NaN'],
    [{ amount: Number.POSITIVE_INFINITY }, 'amount is Infinity'],
    [{ list: [1, undefined] }, '1 is Undefined'],
    [{ toJSON: () => undefined }, 'toJSON is Function'],
    [new Map(), 'it is Map'],
    [undefined, 'it is Undefined'],
  ])('is not written of %o', (value, problem) => {
    expect(() => writeJson(value)).toThrow(new TypeError(problem));
  });
});
