/** What the operating system says about a blob's file, in the words of the BlobStores port. */
import { lookup } from "@orrery/stdx";
import { BlobError, type BlobErrorKind } from "@orrery/ports";
import { errorCode } from "./disk-error.ts";

const kinds: Readonly<Record<string, BlobErrorKind>> = {
  ENOENT: "missing",
  EEXIST: "exists",
  ENOSPC: "full",
  EDQUOT: "full",
  EROFS: "read-only",
  EACCES: "read-only",
  EPERM: "read-only",
};

/** Codes not in the table (EIO, ENOTDIR, …) are `io`. */
export function blobError(path: string, cause: unknown): BlobError {
  if (cause instanceof BlobError) return cause;
  const kind = lookup(kinds, errorCode(cause)) ?? "io";
  return new BlobError(kind, path, messageOf(path, cause));
}

/** As Java says it: the path that people know, and the system's words without its codes. */
function messageOf(path: string, cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const words = /^[A-Z0-9]+: ([^,]+), [a-z]+/.exec(cause.message)?.[1];
  return words === undefined ? cause.message : `${path}: ${words}`;
}

/** Runs a file operation; what it rejects with is a `BlobError`. */
export async function asBlobError<T>(path: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw blobError(path, error);
  }
}

/** Of an operation whose file may be missing. */
export async function unlessMissing<T>(otherwise: T, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return otherwise;
    throw error;
  }
}
