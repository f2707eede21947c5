/** The first bytes of a file, which say whether it is SQLite's. */
import { closeSync, openSync, readSync } from "node:fs";

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
