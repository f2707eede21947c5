/** Errors of the operating system as errors of the BlobStores port. */
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

/** The `BlobError` for an error of a file operation. Codes outside the table (EIO, ENOTDIR, …) are `io`. */
export function blobError(path: string, cause: unknown): BlobError {
  if (cause instanceof BlobError) return cause;
  const kind = lookup(kinds, errorCode(cause)) ?? "io";
  return new BlobError(kind, path, messageOf(path, cause));
}

/** The message as Java words it: the path as the user knows it, and the system's text without its codes. */
function messageOf(path: string, cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const words = /^[A-Z0-9]+: ([^,]+), [a-z]+/.exec(cause.message)?.[1];
  return words === undefined ? cause.message : `${path}: ${words}`;
}

/** Runs a file operation; its rejections become `BlobError`s. */
export async function asBlobError<T>(path: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw blobError(path, error);
  }
}

/** Runs an operation; the result is `otherwise` if the file or a folder above it is missing. */
export async function unlessMissing<T>(otherwise: T, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return otherwise;
    throw error;
  }
}
