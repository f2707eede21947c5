/**
 * The scope of a failure that a handler throws: the request, or the copy that it was for.
 *
 * INV-ENGINE-2: only faults of engine, store and translog, and of operations that a primary has ordered, fail a copy.
 * The engine finds its own (`engine/failure.ts`); this file finds faults of the disk outside the engine. Any other
 * exception while a request is read, planned, matched or encoded fails that request alone.
 */
import { DiskError } from "@orrery/ports";
import { OperationError, problemOf, stackOf, type Problem } from "@orrery/stdx";
import { shardName, type ShardCopy } from "./copy/shard-copy.ts";
import { engineProblem } from "./engine/failure.ts";
import { CorruptStoreError } from "./store/corruption.ts";

/**
 * Runs a client's request. A bug fails the request and not the copy: the log has the error in full, the client gets no
 * details. Faults of the store fail the copy.
 */
export async function blameRequest<T>(copy: ShardCopy, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OperationError) throw error;
    if (isOfStore(error)) throw blamed(copy, error);
    throw new OperationError(unforeseen(copy, error));
  }
}

/**
 * Runs work that a primary has ordered, or whose outcome must be the same on all copies. Any error but an
 * `OperationError` fails the copy.
 */
export async function blameCopy<T>(copy: ShardCopy, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OperationError) throw error;
    throw blamed(copy, error);
  }
}

/**
 * The problem of one item of a request. A bug is logged and its problem has no details; faults of the store are
 * rethrown.
 */
export function itemProblem(copy: ShardCopy, error: unknown): Problem {
  if (error instanceof OperationError) return error.problem;
  if (isOfStore(error)) throw error;
  return unforeseen(copy, error);
}

/** Logs a bug that occurred during a request. Returns the problem for the client, without details. */
export function unforeseen(copy: ShardCopy, error: unknown): Problem {
  const words = `${shardName(copy)} unexpected failure of a request: ${stackOf(error)}`;
  copy.worker.tellUnforeseen(words);
  return problemOf(error);
}

function blamed(copy: ShardCopy, error: unknown): OperationError {
  const problem = engineProblem(error);
  if (!isOfStore(error))
    copy.worker.log("error", `${shardName(copy)} unexpected failure: ${stackOf(error)}`);
  copy.fail(isOfStore(error) ? "shard failure, reason [store]" : "unexpected failure", problem);
  return new OperationError(problem);
}

/** Whether the error is a fault of the disk or a damaged file. */
export function isOfStore(error: unknown): boolean {
  return error instanceof DiskError || error instanceof CorruptStoreError;
}
