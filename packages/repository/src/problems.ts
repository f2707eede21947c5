/** What a blob store's errors are called for clients, and repositories' own problems, in the product's words. */
import { BlobError, type BlobErrorKind } from "@orrery/ports";
import { OperationError, problemOf, type Problem } from "@orrery/stdx";

const types: Readonly<Record<BlobErrorKind, string>> = {
  missing: "no_such_file_exception",
  exists: "file_already_exists_exception",
  full: "i_o_exception",
  "read-only": "access_denied_exception",
  io: "i_o_exception",
};

/** The problem that something thrown by a repository stands for. */
export function blobProblem(error: unknown): Problem {
  if (!(error instanceof BlobError)) return problemOf(error);
  const { kind, path, message } = error;
  const reason = kind === "missing" || kind === "exists" ? path : message;
  return { type: types[kind], reason, status: 500 };
}

export function isMissing(error: unknown): boolean {
  return error instanceof BlobError && error.kind === "missing";
}

/**
 * A listing with a name that is none. No operation goes on with what else the store lists: this is no failure of one folder, which
 * clean-ups and deletions pass over.
 */
export class ListingError extends OperationError {}

/** The store failed, or what it holds is not what was written: not a mistake in here. A store that lists what are no names is not trusted at all. */
export function isStoreFailure(error: unknown): boolean {
  if (error instanceof ListingError) return false;
  return error instanceof BlobError || error instanceof OperationError;
}

export function repositoryProblem(name: string, what: string, causedBy?: Problem): Problem {
  const problem: Problem = {
    type: "repository_exception",
    reason: `[${name}] ${what}`,
    status: 500,
  };
  return causedBy === undefined ? problem : { ...problem, causedBy };
}

export function repositoryError(name: string, what: string, cause?: unknown): OperationError {
  return new OperationError(
    repositoryProblem(name, what, cause === undefined ? undefined : blobProblem(cause)),
  );
}

export function concurrentModification(
  name: string,
  expected: number,
  actual: number,
): OperationError {
  return repositoryError(
    name,
    `concurrent modification of the index-N file, expected current generation [${expected}], actual current generation [${actual}]`,
  );
}
