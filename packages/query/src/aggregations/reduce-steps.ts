/** Reductions in steps: results below thousands of buckets are many, and the node that reduces them has other work, too. */
import type { Plain } from "../types.ts";
import type { Aggregation, ReduceContext } from "./types.ts";

/** Of aggregations without sub-aggregations. */
export function atOnce(
  reduce: (partials: readonly Plain[], context: ReduceContext) => Plain,
): Aggregation["reduce"] {
  // oxlint-disable-next-line require-yield -- one result is one step
  return function* (partials, context) {
    return reduce(partials, context);
  };
}

/** One result for each item, in order. */
export function* inSteps<Item, Result>(
  items: Iterable<Item>,
  reduce: (item: Item, index: number) => Generator<undefined, Result>,
): Generator<undefined, Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(yield* reduce(item, results.length));
  return results;
}
