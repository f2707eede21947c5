/** The end of an engine that cannot go on: it closes, says why, and refuses what comes after. */
import { DiskError } from "@orrery/ports";
import { OperationError, problemOf, type Problem } from "@orrery/stdx";
import { CorruptStoreError } from "../store/corruption.ts";
import type { EngineState } from "./types.ts";

export function assertOpen(state: EngineState): void {
  if (state.isClosed) throw new OperationError(alreadyClosed(state));
}

export function alreadyClosed(state: EngineState): Problem {
  const problem: Problem = {
    type: "already_closed_exception",
    reason: "engine is closed",
    status: 500,
    metadata: shardMetadata(state),
    isRetryable: true,
  };
  return state.failure === undefined ? problem : { ...problem, causedBy: state.failure };
}

/** Closes the engine for a problem that leaves it in doubt. */
export function failEngine(state: EngineState, error: unknown): Problem {
  // Files of a closed engine may be gone, or another's: an error of the disk about them is none of this copy.
  if (state.isClosed) return alreadyClosed(state);
  const problem = engineProblem(error);
  state.failure = problem;
  closeEngine(state);
  state.options.onFailed(problem);
  return problem;
}

/** Nothing is written after this; whoever waits for a refresh is told. */
export function closeEngine(state: EngineState): void {
  state.isClosed = true;
  state.translog.close();
  const listeners = state.refreshListeners;
  state.refreshListeners = [];
  for (const listener of listeners) listener.done(false);
}

/** Runs what touches the disk; a fault of the disk ends the engine. */
export function guarded<T>(state: EngineState, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof OperationError && !isCorruption(error.problem)) throw error;
    throw new OperationError(failEngine(state, error));
  }
}

export async function guardedAsync<T>(state: EngineState, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OperationError && !isCorruption(error.problem)) throw error;
    throw new OperationError(failEngine(state, error));
  }
}

export function engineProblem(error: unknown): Problem {
  if (error instanceof CorruptStoreError) return error.problem;
  if (error instanceof DiskError) {
    return { type: "i_o_exception", reason: error.message, status: 500 };
  }
  return problemOf(error);
}

/** The files are damaged: never start from them again. */
export function isCorruption(problem: Problem): boolean {
  return (
    problem.type === "corrupt_index_exception" || problem.type === "translog_corrupted_exception"
  );
}

function shardMetadata(state: EngineState): NonNullable<Problem["metadata"]> {
  const { index, shard, indexUuid } = state.options;
  return { index, shard: String(shard), index_uuid: indexUuid };
}
