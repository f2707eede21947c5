/** Errors of the operating system as errors of the Disk port. */
import { DiskError, type DiskErrorKind } from "@orrery/ports";
import { AssertionError, lookup } from "@orrery/stdx";

const kinds: Readonly<Record<string, DiskErrorKind>> = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  // A folder has the name of the file.
  EISDIR: "missing",
  ENOSPC: "full",
  EDQUOT: "full",
  EROFS: "read-only",
  EACCES: "read-only",
  EPERM: "read-only",
};

/** The `DiskError` for an error of a file operation. Codes outside the table (EIO, EMFILE, …) are `io`. */
export function diskError(path: string, cause: unknown): DiskError {
  if (cause instanceof DiskError) return cause;
  const kind = lookup(kinds, errorCode(cause)) ?? "io";
  return new DiskError(kind, path, wordsOf(path, cause));
}

/** The message without the path of the data folder, which clients must not see. */
function wordsOf(path: string, cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const what = errorCode(cause) === "" ? undefined : /^\w+: ([^,]+)/.exec(cause.message)?.[1];
  return what === undefined ? cause.message : `${what}: [${path}]`;
}

/** The code of a system error (`ENOENT`); empty for other errors. */
export function errorCode(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : "";
}

/** Runs a synchronous file operation; its errors become `DiskError`s, except failed assertions. */
export function asDiskError<T>(path: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    throw error instanceof AssertionError ? error : diskError(path, error);
  }
}
