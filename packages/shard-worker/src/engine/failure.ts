/**
 * The failure of an engine: it closes, remembers the problem, and rejects later operations (`Engine.failEngine`).
 * INV-ENGINE-2: only faults of disk, files and the engine's own code come here.
 */
import { DiskError } from "@orrery/ports";
import { OperationError, problemOf, type Problem } from "@orrery/stdx";
import { CorruptStoreError } from "../store/corruption.ts";
import type { EngineState } from "./types.ts";

/**
 * Checks that the engine is open.
 * @throws OperationError `already_closed_exception`, with the failure that closed the engine as its cause, if there is
 *   one.
 */
export function assertOpen(state: EngineState): void {
  if (state.isClosed) throw new OperationError(alreadyClosed(state));
}

/**
 * The problem of an operation on a closed engine. The operation may be retried, because the cluster manager will move
 * the copy.
 */
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

/** Closes the engine and fails its copy. Returns the problem for the request that met it. */
export function failEngine(state: EngineState, error: unknown): Problem {
  // The folder of a closed engine may be removed or belong to another copy: a fault of the disk there concerns
  // neither.
  if (state.isClosed) return alreadyClosed(state);
  const problem = engineProblem(error);
  state.failure = problem;
  closeEngine(state);
  state.options.onFailed(problem);
  return problem;
}

/** Closes the engine: it writes nothing more. Writes that wait for a refresh end without one. */
export function closeEngine(state: EngineState): void {
  state.isClosed = true;
  state.translog.close();
  const listeners = state.refreshListeners;
  state.refreshListeners = [];
  for (const listener of listeners) listener.done(false);
}

/**
 * Runs code that touches disk or engine state. An `OperationError` is the request's own, unless it reports
 * corruption; anything else fails the engine, because its memory and its disk may disagree from then on.
 */
export function guarded<T>(state: EngineState, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof OperationError && !isCorruption(error.problem)) throw error;
    throw new OperationError(failEngine(state, error));
  }
}

/** `guarded` for asynchronous work. */
export async function guardedAsync<T>(state: EngineState, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OperationError && !isCorruption(error.problem)) throw error;
    throw new OperationError(failEngine(state, error));
  }
}

/** The problem of a thrown value, in the product's words for disks and damaged files. */
export function engineProblem(error: unknown): Problem {
  if (error instanceof CorruptStoreError) return error.problem;
  if (error instanceof DiskError) {
    return { type: "i_o_exception", reason: error.message, status: 500 };
  }
  return problemOf(error);
}

/** Whether the problem says that stored files are damaged. No copy may start from such files again. */
export function isCorruption(problem: Problem): boolean {
  return (
    problem.type === "corrupt_index_exception" || problem.type === "translog_corrupted_exception"
  );
}

function shardMetadata(state: EngineState): NonNullable<Problem["metadata"]> {
  const { index, shard, indexUuid } = state.options;
  return { index, shard: String(shard), index_uuid: indexUuid };
}
