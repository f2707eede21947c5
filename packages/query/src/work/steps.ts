/** Work in steps: done without a rest, or resting where a turn is over. */
import type { Budget } from "./budget.ts";

/** Where work may rest. Throws once it is cancelled. */
export type Rest = () => Generator<undefined, void>;

/** What the caller of long work gives it: turns, an end, and an account. */
export interface Turns {
  /** Called between batches of documents: throws to cancel. */
  readonly checkCancelled?: (() => void) | undefined;
  /** Asked now and then: true lets others have a turn, where the caller takes the work step by step. */
  readonly isTurnOver?: (() => boolean) | undefined;
  /** Memory and work of the request; each phase makes a budget where none is given. */
  readonly budget?: Budget | undefined;
}

/** Work of callers without turns never rests: all of it is one turn, for its budget, too. */
export function* restOf({ isTurnOver, checkCancelled, budget }: Turns): Generator<undefined, void> {
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
