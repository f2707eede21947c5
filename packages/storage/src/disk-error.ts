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
  const message = cause instanceof Error ? cause.message : String(cause);
  return new DiskError(kind, path, message);
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
