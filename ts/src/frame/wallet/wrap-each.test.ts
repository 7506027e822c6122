import { describe, expect, it } from 'vitest';
import type { Confirmer } from '../../confirm/port.js';
import { wrapEach } from './wrap-each.js';

interface Greeter {
  greet(name: string): string;
  wave?(): string;
}

class Polite implements Greeter {
  readonly #word = 'Hello';
  greet(name: string): string {
    return `${this.#word} ${name}`;
  }
}

const louder = (own: () => string) => () => own().toUpperCase();

describe('a wrapped object', () => {
  it('keeps the object behind each method, and has no method that the object lacks', () => {
    const wrapped = wrapEach<Greeter>(new Polite(), {
      greet: (greet) => (name) => greet(name).toUpperCase(),
      wave: louder,
    });
    expect(wrapped.greet('Ann')).toBe('HELLO ANN');
    expect('wave' in wrapped).toBe(false);
  });

  it('does not compile without a wrapper for each method of the type', () => {
    const confirmer: Confirmer = { show: async () => 'cancel' };
    const { show } = confirmer;
    // @ts-expect-error wait and scan would be dropped
    const wrapped = wrapEach(confirmer, { show: () => show });
    expect(Object.keys(wrapped)).toEqual(['show']);
  });
});
