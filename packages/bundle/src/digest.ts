/**
 * Digest of all rows of a bundle: it changes with any changed, missing or added row, and not with
 * an added index or view.
 */
import { createHash } from "node:crypto";
import type Database from "better-sqlite3";

const TABLES = [
  ...[
    "run",
    "plan",
    "findings",
    "subjects",
    "doubts",
    "receipts",
    "events",
    "operations",
    "faults",
  ],
  ...["cluster_states", "shards"],
];

/** Rows that are concatenated before they are hashed. */
const BATCH = 256;

/** SHA-256 over the rows of all tables, in the order of their keys. */
export function digestOf(database: Database.Database): string {
  const digest = createHash("sha256");
  for (const table of TABLES) {
    let batch: unknown[] = [table];
    for (const row of database.prepare(`SELECT * FROM ${table} ORDER BY rowid`).raw().iterate()) {
      batch.push(row);
      if (batch.length < BATCH) continue;
      digest.update(JSON.stringify(batch));
      batch = [];
    }
    digest.update(JSON.stringify(batch));
  }
  return digest.digest("hex");
}
