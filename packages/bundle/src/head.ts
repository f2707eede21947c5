/** Header of a file: its first bytes tell whether it is an SQLite database. */
import { closeSync, openSync, readSync } from "node:fs";

/** True if the file starts with SQLite's magic bytes. */
export function isDatabase(path: string): boolean {
  const head = Buffer.alloc(16);
  const handle = openSync(path, "r");
  try {
    readSync(handle, head);
  } finally {
    closeSync(handle);
  }
  return head.toString("latin1") === "SQLite format 3\0";
}
