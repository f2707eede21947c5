/**
 * Reader of bundles. A file that is incomplete, damaged, or of another format version is rejected
 * with a one-sentence error; the file is never modified.
 */
import { statSync } from "node:fs";
import { OperationError } from "@orrery/stdx";
import Database from "better-sqlite3";
import { corrupt, refusal } from "./corrupt.ts";
import { digestOf } from "./digest.ts";
import { whereOf, type EventFilter } from "./filter.ts";
import { isDatabase } from "./head.ts";
import { APPLICATION_ID, FORMAT_VERSION } from "./schema.ts";
import { checkRows, checkTables } from "./stored-rows.ts";
import type {
  Finding,
  Receipt,
  RunRecord,
  StoredCopy,
  StoredEvent,
  StoredFault,
  StoredOperation,
  StoredState,
  Subject,
} from "./types.ts";

/** Open bundle; `close` releases the file. */
export interface Bundle {
  readonly path: string;
  readonly run: RunRecord;
  readonly plan: { readonly json: string; readonly source: string };
  readonly findings: readonly Finding[];
  readonly doubts: readonly string[];
  readonly receipts: readonly Receipt[];
  /** Events in the order of the run. A bundle runs one iteration at a time. */
  events(filter?: EventFilter): IterableIterator<StoredEvent>;
  /** Names of all nodes in its events, or of all indices in its events and shard tables. */
  named(what: "node" | "index"): readonly string[];
  operations(): readonly StoredOperation[];
  faults(): readonly StoredFault[];
  states(): readonly StoredState[];
  /** Shard copies at each version of the cluster state at which some copy changed. */
  copies(): readonly StoredCopy[];
  close(): void;
}

/** Opens a bundle and verifies it. Throws `OperationError` if the file is no valid bundle. */
export function openBundle(path: string): Bundle {
  checkFile(path);
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { readonly: true, fileMustExist: true });
    checkKind(database, path);
    return read(database, path);
  } catch (error) {
    database?.close();
    if (error instanceof OperationError) throw error;
    throw corrupt(path, error instanceof Error ? error.message : String(error));
  }
}

/**
 * Runs before SQLite opens the file, whose error would be the same for a folder, a text file and a
 * torn database.
 */
function checkFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw refusal(`there is no bundle [${path}]`);
  if (!found.isFile() || !isDatabase(path)) throw refusal(`[${path}] is not a run bundle`);
}

function checkKind(database: Database.Database, path: string): void {
  if (database.pragma("application_id", { simple: true }) !== APPLICATION_ID)
    throw refusal(`[${path}] is not a run bundle`);
  const version = database.pragma("user_version", { simple: true });
  if (version !== FORMAT_VERSION) {
    const what = `the bundle [${path}] has format version [${String(version)}]`;
    throw refusal(`${what}, and this program reads version [${FORMAT_VERSION}] only`);
  }
  checkTables(database, path);
  const problem = database.pragma("quick_check(1)", { simple: true });
  if (problem !== "ok") throw corrupt(path, firstProblem(String(problem)));
}

const NAMES = {
  node: "SELECT node FROM events WHERE node <> '' UNION SELECT sender FROM events WHERE sender IS NOT NULL UNION SELECT receiver FROM events WHERE receiver IS NOT NULL",
  index:
    "SELECT index_name FROM events WHERE index_name IS NOT NULL UNION SELECT index_name FROM shards",
} as const;

interface RunRow {
  readonly format_version: number;
  readonly program_version: string;
  readonly scenario: string;
  readonly claim: string;
  readonly file: string;
  readonly world: string;
  readonly seed: number;
  readonly verdict: RunRecord["verdict"];
  readonly hash: string;
  readonly events: number;
  readonly virtual_ms: number;
  readonly wall_ms: number;
}

function read(database: Database.Database, path: string): Bundle {
  const row = database.prepare("SELECT * FROM run").get() as RunRow | undefined;
  const plan = database.prepare("SELECT json, source FROM plan").get() as
    | Bundle["plan"]
    | undefined;
  if (row === undefined || plan === undefined) throw corrupt(path, "it tells of no run");
  const digest = database.prepare("SELECT sha256 FROM digest").pluck().get();
  if (digestOf(database) !== digest) throw corrupt(path, "it is not what was recorded");
  checkRows(database, path);
  const all = (sql: string): unknown[] => database.prepare(sql).all();
  return {
    path,
    run: runOf(row),
    plan,
    findings: (all(FINDINGS) as Nulls<Finding>[]).map((finding, i) => {
      const rows = database.prepare(SUBJECTS).all(i + 1) as Nulls<Subject>[];
      return { ...withoutNulls<Finding>(finding), subjects: rows.map(withoutNulls<Subject>) };
    }),
    doubts: database.prepare("SELECT says FROM doubts ORDER BY number").pluck().all() as string[],
    receipts: all(RECEIPTS) as Receipt[],
    named: (what) => database.prepare(NAMES[what]).pluck().all() as string[],
    events: (filter = {}) => {
      const { where, values } = whereOf(filter);
      return database
        .prepare(`SELECT seq, json, index_name AS "index", shard FROM events ${where} ORDER BY seq`)
        .iterate(values) as IterableIterator<StoredEvent>;
    },
    operations: () =>
      (all(OPERATIONS) as Nulls<StoredOperation>[]).map(withoutNulls<StoredOperation>),
    faults: () => (all(FAULTS) as Nulls<StoredFault>[]).map(withoutNulls<StoredFault>),
    states: () =>
      (all(STATES) as Nulls<Omit<StoredState, "nodes"> & { readonly nodes: string }>[]).map(
        ({ nodes, ...state }) => ({
          ...withoutNulls<Omit<StoredState, "nodes">>(state),
          nodes: nodes === "" ? [] : nodes.split(","),
        }),
      ),
    copies: () =>
      (all(COPIES) as Nulls<Omit<StoredCopy, "isPrimary"> & { readonly isPrimary: number }>[]).map(
        ({ isPrimary, ...copy }) => ({
          ...withoutNulls<Omit<StoredCopy, "isPrimary">>(copy),
          isPrimary: isPrimary === 1,
        }),
      ),
    close: () => void database.close(),
  };
}

const FINDINGS = "SELECT invariant, checker, says, at_ms AS atMs FROM findings ORDER BY number";
const SUBJECTS = `SELECT index_name AS "index", document, shard, node, term, client, request, operation, sent_ms AS sentMs,
  answered_ms AS answeredMs, seq_no AS seqNo FROM subjects WHERE finding = ? ORDER BY rowid`;
const RECEIPTS = `SELECT fault, description, started_ms AS startedMs, ended_ms AS endedMs, hits
  FROM receipts ORDER BY number`;
const OPERATIONS = `SELECT client, id, operation, invoked_ms AS invokedMs, completed_ms AS completedMs, status, outcome
  FROM operations ORDER BY invoked_ms, client, id`;
const FAULTS =
  "SELECT kind, description, from_ms AS fromMs, to_ms AS toMs FROM faults ORDER BY number";
const STATES = `SELECT cluster, at_ms AS atMs, version, term, cluster_manager AS clusterManager, nodes
  FROM cluster_states ORDER BY rowid`;
const COPIES = `SELECT cluster, version, at_ms AS atMs, index_name AS "index", shard, is_primary AS isPrimary, state, node,
  allocation_id AS allocationId FROM shards ORDER BY rowid`;

function runOf(row: RunRow): RunRecord {
  const { scenario, claim, file, world, seed, verdict, hash, events } = row;
  return {
    formatVersion: row.format_version,
    programVersion: row.program_version,
    ...{ scenario, claim, file, world, seed, verdict, hash, events },
    virtualMs: row.virtual_ms,
    wallMs: row.wall_ms,
  };
}

/** Row as SQLite returns it: an absent value is `null`. */
type Nulls<T> = { readonly [Key in keyof T]: undefined extends T[Key] ? T[Key] | null : T[Key] };

function withoutNulls<T extends object>(row: Nulls<T>): T {
  const entries = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as T;
}

/**
 * SQLite's integrity report starts with a heading, `*** in database main ***`, if a page is
 * damaged.
 */
function firstProblem(report: string): string {
  const lines = report.split("\n").map((line) => line.trim());
  return lines.find((line) => line !== "" && !line.startsWith("***")) ?? "its pages are damaged";
}
