/** Work in steps: done without a rest, or resting where a turn is over. */
import type { SearchOptions } from "../types.ts";

/** Where work may rest. Throws once it is cancelled. */
export type Rest = () => Generator<undefined, void>;

/** Work of callers without turns never rests: all of it is one turn, for its budget, too. */
export function* restOf({
  isTurnOver,
  checkCancelled,
  budget,
}: Pick<SearchOptions, "isTurnOver" | "checkCancelled" | "budget">): Generator<undefined, void> {
  if (isTurnOver !== undefined) {
    if (isTurnOver()) yield undefined;
    budget?.rested();
  }
  checkCancelled?.();
}

/** For work that is done in one go. */
export const NO_REST: Rest = () => NOTHING;

const NOTHING: Generator<undefined, void> = (function* () {})();

export function allSteps<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
