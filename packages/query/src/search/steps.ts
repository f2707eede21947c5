/** Work in steps: done without a rest, or resting where a turn is over. */
import type { SearchOptions } from "../types.ts";

/** Where work may rest. Throws once it is cancelled. */
export type Rest = () => Generator<undefined, void>;

export function* restOf({
  isTurnOver,
  checkCancelled,
}: Pick<SearchOptions, "isTurnOver" | "checkCancelled">): Generator<undefined, void> {
  if (isTurnOver?.() === true) yield undefined;
  checkCancelled?.();
}

export function allSteps<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
