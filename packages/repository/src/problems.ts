/** Problems of repositories in the product's words, and the translation of blob store errors to them. */
import { BlobError, type BlobErrorKind } from "@orrery/ports";
import { OperationError, problemOf, type Problem } from "@orrery/stdx";

const types: Readonly<Record<BlobErrorKind, string>> = {
  missing: "no_such_file_exception",
  exists: "file_already_exists_exception",
  full: "i_o_exception",
  "read-only": "access_denied_exception",
  io: "i_o_exception",
};

/** The problem of an error that a repository has thrown. */
export function blobProblem(error: unknown): Problem {
  if (!(error instanceof BlobError)) return problemOf(error);
  const { kind, path, message } = error;
  const reason = kind === "missing" || kind === "exists" ? path : message;
  return { type: types[kind], reason, status: 500 };
}

/** Whether the error says that a blob or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof BlobError && error.kind === "missing";
}

/**
 * A listing with an invalid name. The store is not trusted any more and the whole operation fails, unlike after the
 * failure of a single folder, which clean-ups and deletions skip.
 */
export class ListingError extends OperationError {}

/** Whether the error is a failure of the store or corrupt content, which an operation may skip; false for bugs and for a `ListingError`. */
export function isStoreFailure(error: unknown): boolean {
  if (error instanceof ListingError) return false;
  return error instanceof BlobError || error instanceof OperationError;
}

/** `repository_exception` as a problem. */
export function repositoryProblem(name: string, what: string, causedBy?: Problem): Problem {
  const problem: Problem = {
    type: "repository_exception",
    reason: `[${name}] ${what}`,
    status: 500,
  };
  return causedBy === undefined ? problem : { ...problem, causedBy };
}

/** `repository_exception` as an error, with the problem of its cause. */
export function repositoryError(name: string, what: string, cause?: unknown): OperationError {
  return new OperationError(
    repositoryProblem(name, what, cause === undefined ? undefined : blobProblem(cause)),
  );
}

/** The error of a reserved generation that exists already: another cluster writes to the repository. */
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
