/**
 * Seeded randomness: one named stream per purpose and node, so that a new draw in one place does not change others.
 * The generator is `alea` of the package seedrandom, with the same numbers on every engine.
 */
import alea from "seedrandom/lib/alea.js";

/** A stream of random numbers. Each call draws from it and changes what later calls return. */
export interface Random {
  /** Uniform in [0, 1). */
  float(): number;
  /** Uniform integer, both ends included. */
  int(low: number, high: number): number;
  /** One of the items; the list must not be empty. */
  pick<T>(items: readonly T[]): T;
  bytes(length: number): Uint8Array<ArrayBuffer>;
  /** A new list in another order. */
  shuffle<T>(items: readonly T[]): T[];
}

/** The stream that the seed determines. */
export function createRandom(seed: string): Random {
  const next = alea(seed);
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    float: () => next(),
    int,
    pick: (items) => {
      const item = items[int(0, items.length - 1)];
      if (item === undefined && items.length === 0) throw new RangeError("nothing to pick from");
      return item as (typeof items)[number];
    },
    bytes: (length) => Uint8Array.from({ length }, () => int(0, 255)),
    shuffle: (items) => {
      const shuffled = [...items];
      for (let i = shuffled.length - 1; i > 0; i -= 1) {
        const j = int(0, i);
        [shuffled[i], shuffled[j]] = [shuffled[j] as never, shuffled[i] as never];
      }
      return shuffled;
    },
  };
}
