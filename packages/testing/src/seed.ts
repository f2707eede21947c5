/** Seed of a test's cluster: of its options, else of the environment, else drawn. */
import type { ClusterOptions } from "./options.ts";

export function seedOf({ seed }: ClusterOptions): number {
  if (seed !== undefined) return checked(seed);
  const given = process.env["ORRERY_SEED"];
  if (given === undefined) return Math.floor(Math.random() * 2 ** 31);
  if (/^\d+$/.test(given)) return checked(Number(given));
  throw new RangeError(`ORRERY_SEED must be a whole number from 0 on, not [${given}]`);
}

function checked(seed: number): number {
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new RangeError(`a seed must be a whole number from 0 on, not [${seed}]`);
}
