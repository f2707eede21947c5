/**
 * The property-test loop. Seeds are 1 to `count`, so a run is the same every time; the environment variable `SEED` runs
 * that one alone. A failure starts with `SEED=<n>`.
 */
import { createRandom, type Random } from "@orrery/stdx";

export function forSeeds(count: number, body: (random: Random, seed: number) => void): void {
  for (const seed of seedsOf(count)) {
    try {
      body(createRandom(`seed-${seed}`), seed);
    } catch (error) {
      throw named(error, seed);
    }
  }
}

/** Runs an asynchronous body with many seeds, one after the other. */
export async function forSeedsAsync(
  count: number,
  body: (random: Random, seed: number) => Promise<void>,
): Promise<void> {
  for (const seed of seedsOf(count)) {
    try {
      await body(createRandom(`seed-${seed}`), seed);
    } catch (error) {
      throw named(error, seed);
    }
  }
}

function seedsOf(count: number): readonly number[] {
  const given = process.env["SEED"];
  if (given === undefined || given === "") return Array.from({ length: count }, (_, i) => i + 1);
  const seed = Number(given);
  if (!Number.isSafeInteger(seed)) throw new Error(`SEED must be a whole number, not [${given}]`);
  return [seed];
}

/** The same error, so that a test runner still finds its difference and its place. */
function named(error: unknown, seed: number): unknown {
  if (!(error instanceof Error)) return new Error(`SEED=${seed}: ${String(error)}`);
  error.message = `SEED=${seed}: ${error.message}`;
  return error;
}
