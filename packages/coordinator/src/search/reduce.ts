/** The reduce phase, in turns of limited time: other work of the node runs between two results, and between parts of one result. */
import { inTurns, MAIN_TURN_MS, type Clock, type Steps } from "@orrery/ports";
import { queryResultSteps, type QueryReducer, type ReducedSearch } from "@orrery/query";

/** The query result of one shard, still encoded, as the reduce phase takes it. */
export interface EncodedResult {
  /** Position of the shard in the search: the tie-break of equal hits. */
  readonly position: number;
  readonly result: Uint8Array;
}

/** Adds the results in the given order and finishes the reduction. Returns a promise only when it takes more than one turn. */
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
