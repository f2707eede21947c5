/** The answers of all shards as one, in turns: other work of the node comes between two answers, and between parts of one. */
import { inTurns, MAIN_TURN_MS, type Clock, type Steps } from "@orrery/ports";
import { queryResultSteps, type QueryReducer, type ReducedSearch } from "@orrery/query";

export interface EncodedResult {
  /** Ties sort by it. */
  readonly position: number;
  readonly result: Uint8Array;
}

export function reduceInTurns(
  clock: Clock,
  reducer: QueryReducer,
  answers: readonly EncodedResult[],
): ReducedSearch | Promise<ReducedSearch> {
  const start: Steps<ReducedSearch> = (isTurnOver) => reduceSteps(reducer, answers, isTurnOver);
  return inTurns(clock, start, MAIN_TURN_MS);
}

function* reduceSteps(
  reducer: QueryReducer,
  answers: readonly EncodedResult[],
  isTurnOver: () => boolean,
): Generator<undefined, ReducedSearch> {
  for (const { position, result } of answers) {
    reducer.add(position, yield* queryResultSteps(result, isTurnOver));
    if (isTurnOver()) yield;
  }
  return yield* reducer.finish(isTurnOver);
}
