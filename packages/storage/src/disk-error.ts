/** What the operating system says about a file, in the words of the Disk port. */
import { DiskError, type DiskErrorKind } from "@orrery/ports";
import { AssertionError, lookup } from "@orrery/stdx";

const kinds: Readonly<Record<string, DiskErrorKind>> = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  ENOSPC: "full",
  EDQUOT: "full",
  EROFS: "read-only",
  EACCES: "read-only",
  EPERM: "read-only",
};

/** Codes not in the table (EIO, EMFILE, …) are `io`. */
export function diskError(path: string, cause: unknown): DiskError {
  if (cause instanceof DiskError) return cause;
  const kind = lookup(kinds, errorCode(cause)) ?? "io";
  return new DiskError(kind, path, wordsOf(path, cause));
}

/** Without the place of the data folder, which is not for clients. */
function wordsOf(path: string, cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const what = errorCode(cause) === "" ? undefined : /^\w+: ([^,]+)/.exec(cause.message)?.[1];
  return what === undefined ? cause.message : `${what}: [${path}]`;
}

export function errorCode(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : "";
}

/** Runs a synchronous file operation; what it throws is a `DiskError`. */
export function asDiskError<T>(path: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    throw error instanceof AssertionError ? error : diskError(path, error);
  }
}
