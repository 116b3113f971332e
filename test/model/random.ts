/** A seeded source of chance, so that a seed names a history. */

export interface Random {
  /** At least 0, below 1. */
  readonly next: () => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(choices: readonly T[]) => T;
  /** A whole number, both ends included. */
  readonly between: (low: number, high: number) => number;
}

/** Mulberry32. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (choices) => choices[between(0, choices.length - 1)] as (typeof choices)[number],
  };
}
