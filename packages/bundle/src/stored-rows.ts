/**
 * Validation of a bundle's tables and rows. The digest only detects accidental damage, as the
 * author of a forged bundle can compute it.
 */
import Database from "better-sqlite3";
import { corrupt } from "./corrupt.ts";
import { schema } from "./schema.ts";

/**
 * Checks that the tables are those of a bundle. Must run before any query, because a view in place of a table could run
 * for ever. Throws `OperationError`.
 */
export function checkTables(database: Database.Database, path: string): void {
  // SQL functions in an untrusted schema must not run.
  database.pragma("trusted_schema = OFF");
  const found = new Map(tablesOf(database));
  const isOurs = ourTables().every(([name, sql]) => found.get(name) === sql);
  if (!isOurs) throw corrupt(path, "its tables are not those of a bundle");
}

/** Checks types and ranges of all values. Throws `OperationError`. */
export function checkRows(database: Database.Database, path: string): void {
  for (const [table, condition] of ROWS) {
    const odd = database.prepare(`SELECT 1 FROM ${table} WHERE NOT (${condition}) LIMIT 1`).get();
    if (odd !== undefined)
      throw corrupt(path, `its table [${table}] holds what no run leaves there`);
  }
}

type Table = readonly [name: string, sql: string];

function tablesOf(database: Database.Database): readonly Table[] {
  const sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL";
  return database.prepare(sql).raw().all() as Table[];
}

let ours: readonly Table[] | undefined;

function ourTables(): readonly Table[] {
  if (ours !== undefined) return ours;
  const empty = new Database(":memory:");
  empty.exec(schema);
  ours = tablesOf(empty);
  empty.close();
  return ours;
}

/** Check of a time of the run in milliseconds, bounded to some thousand years. */
const isTime = (column: string): string => `${column} BETWEEN 0 AND 1e14`;
const isTimeOrNull = (column: string): string => `(${column} IS NULL OR ${isTime(column)})`;

const ROWS: readonly Table[] = [
  [
    "run",
    `verdict IN ('pass', 'fail', 'inconclusive') AND world GLOB '[a-z]*' AND world NOT GLOB '*[^a-z0-9-]*'
      AND seed BETWEEN 0 AND 9007199254740991 AND events >= 0 AND ${isTime("virtual_ms")} AND ${isTime("wall_ms")}`,
  ],
  ["findings", isTime("at_ms")],
  [
    "subjects",
    `${isTimeOrNull("sent_ms")} AND ${isTimeOrNull("answered_ms")}
      AND (shard IS NULL OR shard BETWEEN 0 AND 1048576)`,
  ],
  ["receipts", `${isTime("started_ms")} AND ${isTime("ended_ms")}`],
  ["events", `seq BETWEEN 0 AND 9007199254740991 AND ${isTime("at_ms")}`],
  [
    "operations",
    `outcome IN ('ok', 'failed', 'unknown') AND ${isTime("invoked_ms")} AND ${isTimeOrNull("completed_ms")}
      AND id BETWEEN -9007199254740991 AND 9007199254740991`,
  ],
  ["faults", `${isTime("from_ms")} AND ${isTimeOrNull("to_ms")}`],
  ["cluster_states", `${isTime("at_ms")} AND version BETWEEN 0 AND 9007199254740991`],
  [
    "shards",
    `${isTime("at_ms")} AND shard BETWEEN 0 AND 1048576 AND version BETWEEN 0 AND 9007199254740991`,
  ],
];
