/**
 * Who is to blame for what a handler throws: the request, or the copy it was for.
 *
 * INV-ENGINE-2: only faults of engine, store and translog fail a copy. The engine finds its own (engine/failure.ts); here are
 * those of the disk that nobody guarded. Anything else that is thrown while a request is read, planned, matched or
 * printed fails that request alone.
 */
import { DiskError } from "@orrery/ports";
import { OperationError, problemOf, stackOf, type Problem } from "@orrery/stdx";
import { shardName, type ShardCopy } from "./copy/shard-copy.ts";
import { engineProblem } from "./engine/failure.ts";
import { CorruptStoreError } from "./store/corruption.ts";

/** For a client's request: a bug that it meets is told to the log, and to the client without its details. */
export async function blameRequest<T>(copy: ShardCopy, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OperationError) throw error;
    if (isOfStore(error)) throw blamed(copy, error);
    throw new OperationError(unforeseen(copy, error));
  }
}

/** For work that a primary has ordered, or that its copies must not be left in doubt about: whatever is unforeseen fails the copy. */
export async function blameCopy<T>(copy: ShardCopy, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OperationError) throw error;
    throw blamed(copy, error);
  }
}

/** The problem of one item of a request: its own, or of a bug that it met. Faults of the store are thrown on. */
export function itemProblem(copy: ShardCopy, error: unknown): Problem {
  if (error instanceof OperationError) return error.problem;
  if (isOfStore(error)) throw error;
  return unforeseen(copy, error);
}

/** The problem of a request that met a bug, which the log tells in full. */
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

/** Faults of the disk and of damaged files. */
export function isOfStore(error: unknown): boolean {
  return error instanceof DiskError || error instanceof CorruptStoreError;
}
