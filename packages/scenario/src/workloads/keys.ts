/** Distribution of the documents that clients choose. */
import type { Random } from "@orrery/stdx";
import { integer, oneOf, or, type Keys } from "../shape.ts";

export interface KeyChoice {
  /** Number of documents to choose from. */
  readonly keys: number;
  readonly distribution: "uniform" | "zipf" | "sequential";
}

export const keyChoiceKeys: Keys<KeyChoice> = {
  keys: or(integer(1, 1_000_000), 100, "number of documents to choose from"),
  distribution: or(
    oneOf("distribution", () => ["uniform", "zipf", "sequential"] as const),
    "uniform",
    "uniform; zipf: few documents most of the time; sequential: one after the other",
  ),
};

/** Chooses a document, from 0; `turn` counts the choices of all clients. */
export type Chooser = (random: Random, turn: number) => number;

export function createChooser({ keys, distribution }: KeyChoice): Chooser {
  if (distribution === "sequential") return (_random, turn) => turn % keys;
  if (distribution === "uniform") return (random) => random.int(0, keys - 1);
  // The n-th document has the weight 1/n.
  const sums = new Float64Array(keys);
  let sum = 0;
  for (let rank = 0; rank < keys; rank += 1) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  return (random) => firstAbove(sums, random.float() * sum);
}

function firstAbove(sums: Float64Array, value: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
