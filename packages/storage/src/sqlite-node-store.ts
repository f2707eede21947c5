/**
 * The NodeStore port over one SQLite file.
 *
 * All batches of one turn share one commit, which is durable (WAL with synchronous FULL) before the turn ends. The file is
 * held by an exclusive lock of the operating system: a second node is refused, and a killed one leaves nothing to clean
 * up. A write that fails breaks the store for good: what follows it must not become durable without it.
 */
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { NodeStore, StoreBatch, StoredEntry, StoredNode } from "@orrery/ports";
import { AssertionError, emptyBytes, OperationError } from "@orrery/stdx";
import type SqliteModule from "better-sqlite3";
import type { Database } from "better-sqlite3";
import { errorCode } from "./disk-error.ts";
import { checkEntries } from "./entries.ts";

const formatVersion = 1;
/** Pages in the write-ahead file above which it is folded back; 4 MiB. */
const checkpointPages = 1000;
/** How long a node that is just ending may hold its lock against the next one. */
const lockWaitMs = 1000;

/** Throws `OperationError` when the file is in use, damaged, or from a newer version. */
export function openNodeStore(file: string): NodeStore {
  const database = openDatabase(file);
  const commit = createCommit(database);
  let pending: { batch: StoreBatch; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let broken: OperationError | undefined;
  let isClosed = false;
  let checkpoint: NodeJS.Timeout | undefined;

  const flush = (): void => {
    const group = pending;
    pending = [];
    if (group.length === 0) return;
    try {
      if (broken !== undefined) throw broken;
      const pages = commit(group.map(({ batch }) => batch));
      if (pages > checkpointPages) checkpoint ??= setTimeout(foldBack, 20).unref();
    } catch (error) {
      if (error instanceof AssertionError) throw error;
      broken ??= cannotWrite(file, error);
      for (const { reject } of group) reject(broken);
      return;
    }
    for (const { resolve } of group) resolve();
  };

  /** After the commit was answered, so that nobody waits for it. */
  const foldBack = (): void => {
    checkpoint = undefined;
    if (!isClosed) database.pragma("wal_checkpoint(PASSIVE)");
  };

  return {
    load: () => load(database, file),
    write: (batch) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(cannotWrite(file, new Error("the store is closed")));
          return;
        }
        pending.push({ batch, resolve, reject });
        // A tick asked for by a microtask comes after every microtask of this turn.
        if (pending.length === 1) queueMicrotask(() => process.nextTick(flush));
      }),
    close() {
      if (isClosed) return;
      flush();
      isClosed = true;
      clearTimeout(checkpoint);
      database.close();
    },
  };
}

/** Loaded here, not with the module: threads and worlds without a store do not pay for it. */
function openDatabase(file: string): Database {
  const require = createRequire(import.meta.url);
  const Sqlite = require("better-sqlite3") as typeof SqliteModule;
  try {
    mkdirSync(dirname(file), { recursive: true });
    const database = new Sqlite(file, { timeout: lockWaitMs });
    try {
      prepare(database, file);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw cannotOpen(file, error);
  }
}

function prepare(database: Database, file: string): void {
  database.pragma("locking_mode = EXCLUSIVE");
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.pragma("wal_autocheckpoint = 0");
  const version = Number(database.pragma("user_version", { simple: true }));
  if (version > formatVersion) throw fromNewerVersion(file, version);
  // Also takes the lock, which is then kept.
  database.exec(`
    BEGIN EXCLUSIVE;
    CREATE TABLE IF NOT EXISTS entries (position INTEGER PRIMARY KEY, term INTEGER NOT NULL, bytes BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS raft (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS named (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
    PRAGMA user_version = ${formatVersion};
    COMMIT;
  `);
}

/** Writes batches in one transaction; the number of pages in the write-ahead file after it. */
function createCommit(database: Database): (batches: readonly StoreBatch[]) => number {
  const sql = {
    clear: database.prepare<unknown[]>("DELETE FROM entries"),
    deleteFrom: database.prepare<unknown[]>("DELETE FROM entries WHERE position >= ?"),
    deleteTo: database.prepare<unknown[]>("DELETE FROM entries WHERE position <= ?"),
    last: database.prepare<unknown[]>("SELECT max(position) FROM entries").pluck(),
    insert: database.prepare<unknown[]>(
      "INSERT INTO entries (position, term, bytes) VALUES (?, ?, ?)",
    ),
    setRaft: database.prepare<unknown[]>("INSERT OR REPLACE INTO raft (name, bytes) VALUES (?, ?)"),
    setNamed: database.prepare<unknown[]>(
      "INSERT OR REPLACE INTO named (name, bytes) VALUES (?, ?)",
    ),
    removeNamed: database.prepare<unknown[]>("DELETE FROM named WHERE name = ?"),
  };

  const append = (entries: readonly StoredEntry[], first: number): void => {
    sql.deleteFrom.run(first);
    const last = sql.last.get() as number | null;
    checkEntries(
      last === null ? entries : [{ index: last, term: 0, bytes: emptyBytes }, ...entries],
    );
    for (const { index, term, bytes } of entries) sql.insert.run(index, term, bytes);
  };

  const write = (batch: StoreBatch): void => {
    if (batch.hardState !== undefined) sql.setRaft.run("hardState", batch.hardState);
    if (batch.snapshot !== undefined) sql.setRaft.run("snapshot", batch.snapshot);
    if (batch.clearEntries === true) sql.clear.run();
    const first = batch.entries?.[0]?.index;
    if (batch.entries !== undefined && first !== undefined) append(batch.entries, first);
    if (batch.compactTo !== undefined) sql.deleteTo.run(batch.compactTo);
    for (const [name, value] of batch.values ?? []) {
      if (value === undefined) sql.removeNamed.run(name);
      else sql.setNamed.run(name, value);
    }
  };

  const writeAll = database.transaction((batches: readonly StoreBatch[]) => batches.forEach(write));
  const look = database.prepare<[], { log: number }>("PRAGMA wal_checkpoint(NOOP)");
  return (batches) => {
    writeAll(batches);
    return look.get()?.log ?? 0;
  };
}

function load(database: Database, file: string): StoredNode {
  try {
    const raft = namedBytes(database, "raft");
    const entries = database
      .prepare<[], EntryRow>("SELECT position, term, bytes FROM entries ORDER BY position")
      .all()
      .map(({ position, term, bytes }) => ({ index: position, term, bytes: plainBytes(bytes) }));
    checkEntries(entries);
    return {
      hardState: raft.get("hardState"),
      snapshot: raft.get("snapshot"),
      entries,
      values: namedBytes(database, "named"),
    };
  } catch (error) {
    throw damaged(file, error);
  }
}

interface EntryRow {
  readonly position: number;
  readonly term: number;
  readonly bytes: Uint8Array;
}

function namedBytes(database: Database, table: "raft" | "named"): Map<string, Uint8Array> {
  const rows = database
    .prepare<[], { name: string; bytes: Uint8Array }>(`SELECT name, bytes FROM ${table}`)
    .all();
  return new Map(rows.map(({ name, bytes }) => [name, plainBytes(bytes)]));
}

/** Not a `Buffer`, whose `slice` does not copy. */
function plainBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function cannotOpen(file: string, cause: unknown): OperationError {
  if (cause instanceof OperationError) return cause;
  const code = errorCode(cause);
  if (code.startsWith("SQLITE_BUSY")) return lockedByOther(file);
  if (code.startsWith("SQLITE_NOTADB") || code.startsWith("SQLITE_CORRUPT")) {
    return damaged(file, cause);
  }
  const reason = `failed to open the node's state in [${file}]: ${messageOf(cause)}`;
  return new OperationError({ type: "illegal_state_exception", reason, status: 500 });
}

function lockedByOther(file: string): OperationError {
  const reason = `failed to obtain node locks, tried [[${dirname(file)}]] with lock id [0]; another node uses this folder`;
  return new OperationError({ type: "illegal_state_exception", reason, status: 500 });
}

function damaged(file: string, cause: unknown): OperationError {
  const reason = `the node's state in [${file}] is damaged: ${messageOf(cause)}`;
  return new OperationError({ type: "corrupt_state_exception", reason, status: 500 });
}

function fromNewerVersion(file: string, version: number): OperationError {
  const reason = `the node's state in [${file}] has format [${version}], written by a newer version; this one reads up to [${formatVersion}]`;
  return new OperationError({ type: "illegal_state_exception", reason, status: 500 });
}

function cannotWrite(file: string, cause: unknown): OperationError {
  if (cause instanceof OperationError) return cause;
  const reason = `failed to write the node's state in [${file}]: ${messageOf(cause)}`;
  return new OperationError({ type: "i_o_exception", reason, status: 500 });
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
