/** Seeded random numbers, so that the seed alone decides what a run does. */
export interface Random {
  /** From 0 to 1, excluding 1. */
  fraction(): number;
  /** A whole number from `from` to `to`, inclusive. */
  between(from: number, to: number): number;
  pick<T>(choices: readonly T[]): T;
}

/** A separate stream for each seed and name, so that one job's draws do not shift another's. */
export function randomOf(seed: number, name: string): Random {
  let state = seed >>> 0;
  for (const character of name) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193) >>> 0;
  // Mulberry32.
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(fraction() * (to - from + 1));
  return {
    fraction,
    between,
    pick: (choices) => choices[between(0, choices.length - 1)]!,
  };
}
