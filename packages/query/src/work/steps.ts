/**
 * Work in steps: generators that yield at rests, where other requests of the worker run. The same
 * work also runs without rests, for callers that need its result at once.
 */
import type { Budget } from "./budget.ts";

/** A point of long work at which it may yield. Throws when the request was cancelled. */
export type Rest = () => Generator<undefined, void>;

/** The control that a caller has over long work. */
export interface Turns {
  /** Called at rests; throws to cancel the work. */
  readonly checkCancelled?: (() => void) | undefined;
  /** Asked at rests: true makes the work yield. `undefined`: the caller takes all steps at once. */
  readonly isTurnOver?: (() => boolean) | undefined;
  /** Memory and steps of the request; a phase without one makes its own. */
  readonly budget?: Budget | undefined;
}

/**
 * Yields if the turn is over, then throws if the work was cancelled. Without `isTurnOver` the work
 * never yields, and its budget limits all of it together.
 */
export function* restOf({ isTurnOver, checkCancelled, budget }: Turns): Generator<undefined, void> {
  if (isTurnOver !== undefined) {
    if (isTurnOver()) yield undefined;
    budget?.rested();
  }
  checkCancelled?.();
}

/** A rest that neither yields nor throws, for work that runs in one go. */
export const NO_REST: Rest = () => NOTHING;

const NOTHING: Generator<undefined, void> = (function* () {})();

/** Runs all steps at once and returns their result. */
export function allSteps<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
