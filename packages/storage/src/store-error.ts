/** Problems of a node store that cannot be opened, read or written, one sentence each. */
import { dirname } from "node:path";
import { OperationError } from "@orrery/stdx";
import { errorCode } from "./disk-error.ts";

/** Codes for failures of the machine: a retry may read the same bytes. */
const machineCodes = [
  "SQLITE_BUSY",
  "SQLITE_CANTOPEN",
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_NOMEM",
  "SQLITE_PERM",
  "SQLITE_READONLY",
];

/** Whether the error of SQLite means that the file's bytes are damaged, so that a retry cannot succeed. */
export function isDamage(cause: unknown): boolean {
  const code = errorCode(cause);
  return code.startsWith("SQLITE_") && !machineCodes.some((prefix) => code.startsWith(prefix));
}

export function cannotOpen(file: string, cause: unknown): OperationError {
  if (cause instanceof OperationError) return cause;
  if (errorCode(cause).startsWith("SQLITE_BUSY")) return lockedByOther(file);
  const reason = `failed to open the node's state in [${file}]: ${messageOf(cause)}`;
  return new OperationError({ type: "illegal_state_exception", reason, status: 500 });
}

export function cannotWrite(file: string, cause: unknown): OperationError {
  if (cause instanceof OperationError) return cause;
  const reason = `failed to write the node's state in [${file}]: ${messageOf(cause)}`;
  return new OperationError({ type: "i_o_exception", reason, status: 500 });
}

export function fromNewerVersion(file: string, version: number, known: number): OperationError {
  const reason = `the node's state in [${file}] has format [${version}], written by a newer version; this one reads up to [${known}]`;
  return new OperationError({ type: "illegal_state_exception", reason, status: 500 });
}

function lockedByOther(file: string): OperationError {
  const reason = `failed to obtain node locks, tried [[${dirname(file)}]] with lock id [0]; another node uses this folder`;
  return new OperationError({ type: "illegal_state_exception", reason, status: 500 });
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
