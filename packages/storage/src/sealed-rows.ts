/**
 * The rows of a node store and the seal over them: a transaction writes both, and the next start verifies the rows by
 * the seal.
 *
 * INV-STORE-1: the entries of a stored log have no gap and form one chain of hashes, so a restart reads one history.
 */
import type { StoreBatch, StoredEntry } from "@orrery/ports";
import type { Database } from "better-sqlite3";
import { checkEntries } from "./entries.ts";
import { emptyBytes } from "@orrery/stdx";
import {
  decodeSeal,
  digestOf,
  encodeSeal,
  entryHash,
  isSameSeal,
  noHash,
  rowHash,
  type Seal,
} from "./seal.ts";
import { fromNewerVersion, isDamage, messageOf } from "./store-error.ts";

/** Format 2 added the seal, and a hash for each entry. */
const formatVersion = 2;

/** The rows of a store: Raft state by name, named values, the log. */
export interface StoredRows {
  readonly raft: ReadonlyMap<string, Uint8Array>;
  readonly named: ReadonlyMap<string, Uint8Array>;
  readonly entries: readonly StoredEntry[];
}

/** Name of the value that records that an operator has abandoned the store's log. */
export const givenUpName = "given_up";

/** The verified contents of a database. */
export type Content =
  /** A database without tables, into which no commit was written. */
  | { readonly kind: "new" }
  /** A database of format 1, which had no seal. */
  | { readonly kind: "unsealed"; readonly rows: StoredRows }
  /** All rows agree with the seal. */
  | { readonly kind: "sealed"; readonly seal: Seal; readonly rows: StoredRows }
  | { readonly kind: "damaged"; readonly reason: string };

/**
 * Reads and verifies a database. Throws SQLite's errors that are not damage (busy, full, …), and `OperationError` for
 * a newer version.
 */
export function readContent(database: Database, file: string): Content {
  try {
    const version = Number(database.pragma("user_version", { simple: true }));
    if (version > formatVersion) throw fromNewerVersion(file, version, formatVersion);
    const tables = Number(database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get());
    if (version === 0 && tables === 0) return { kind: "new" };
    if (version === 0) return { kind: "damaged", reason: "its format is unknown" };
    if (version === 1) return { kind: "unsealed", rows: readRows(database, []) };
    return verify(database);
  } catch (error) {
    if (isDamage(error)) return { kind: "damaged", reason: messageOf(error) };
    throw error;
  }
}

function verify(database: Database): Content {
  const damaged = (reason: string): Content => ({ kind: "damaged", reason });
  const bytes = database.prepare("SELECT bytes FROM seal").pluck().get();
  const seal = bytes instanceof Uint8Array ? decodeSeal(plainBytes(bytes)) : undefined;
  if (seal === undefined) return damaged("its seal is not what was written");
  const hashes: Uint8Array[] = [];
  const rows = readRows(database, hashes);
  const odd = rows.entries.find(({ index, term }) => !isCount(index) || !isCount(term));
  if (odd !== undefined) return damaged(`log entry [${odd.index}] is not what was written`);
  let previous: StoredEntry | undefined;
  let hash = seal.baseHash;
  for (const [i, entry] of rows.entries.entries()) {
    if (previous !== undefined && previous.index + 1 !== entry.index) {
      return damaged(`log entry [${entry.index}] follows [${previous.index}]`);
    }
    hash = entryHash(hash, entry);
    if (Buffer.compare(hash, hashes[i] ?? noHash) !== 0) {
      return damaged(`log entry [${entry.index}] is not what was written`);
    }
    previous = entry;
  }
  const found = sealOver(rows, seal, hash);
  return isSameSeal(found, seal)
    ? { kind: "sealed", seal, rows }
    : damaged("rows are missing, or are not what was written");
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function sealOver(rows: StoredRows, of: Seal, lastHash: Uint8Array): Seal {
  const lastIndex = rows.entries.at(-1)?.index ?? 0;
  return { ...of, lastIndex, lastHash, digest: digestOf(hashesOf(rows)) };
}

function hashesOf({ raft, named }: StoredRows): Map<string, Uint8Array> {
  const hashes = new Map<string, Uint8Array>();
  for (const [name, bytes] of raft) hashes.set(`raft ${name}`, rowHash(bytes));
  for (const [name, bytes] of named) hashes.set(`named ${name}`, rowHash(bytes));
  return hashes;
}

interface EntryRow {
  readonly position: number;
  readonly term: number;
  readonly bytes: Uint8Array;
  readonly hash?: Uint8Array;
}

function readRows(database: Database, hashes: Uint8Array[]): StoredRows {
  const entries = database
    .prepare<[], EntryRow>("SELECT * FROM entries ORDER BY position")
    .all()
    .map(({ position, term, bytes, hash }) => {
      hashes.push(hash ?? noHash);
      return { index: position, term, bytes: plainBytes(bytes) };
    });
  return { raft: bytesByName(database, "raft"), named: bytesByName(database, "named"), entries };
}

function bytesByName(database: Database, table: "raft" | "named"): Map<string, Uint8Array> {
  const rows = database
    .prepare<[], { name: string; bytes: Uint8Array }>(`SELECT name, bytes FROM ${table}`)
    .all();
  return new Map(rows.map(({ name, bytes }) => [name, plainBytes(bytes)]));
}

/**
 * A plain `Uint8Array`, since the `slice` of a `Buffer` does not copy. A flipped bit may have changed a column's
 * type, which then has no bytes.
 */
function plainBytes(bytes: Uint8Array): Uint8Array {
  if (!(bytes instanceof Uint8Array)) return emptyBytes;
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Creates the tables, and the seal of an empty store. */
export function createTables(database: Database, seal: Seal): void {
  database.transaction(() => {
    database.exec(`
      CREATE TABLE entries (position INTEGER PRIMARY KEY, term INTEGER NOT NULL, bytes BLOB NOT NULL, hash BLOB NOT NULL);
      CREATE TABLE raft (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
      CREATE TABLE named (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
      CREATE TABLE seal (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
      PRAGMA user_version = ${formatVersion};
    `);
    setSeal(database)(seal);
  })();
}

/**
 * Upgrades a database of format 1, which had no seal. Returns the seal that the upgrade wrote; `first` is its
 * predecessor.
 */
export function sealRows(database: Database, rows: StoredRows, first: Seal): Seal {
  checkEntries(rows.entries);
  let lastHash = first.baseHash;
  database.transaction(() => {
    database.exec(`
      ALTER TABLE entries ADD COLUMN hash BLOB;
      CREATE TABLE seal (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
      PRAGMA user_version = ${formatVersion};
    `);
    const set = database.prepare<unknown[]>("UPDATE entries SET hash = ? WHERE position = ?");
    for (const entry of rows.entries) {
      lastHash = entryHash(lastHash, entry);
      set.run(lastHash, entry.index);
    }
    setSeal(database)(sealOver(rows, { ...first, sequence: first.sequence + 1 }, lastHash));
  })();
  return sealOver(rows, { ...first, sequence: first.sequence + 1 }, lastHash);
}

function setSeal(database: Database): (seal: Seal) => void {
  const set = database.prepare<unknown[]>("INSERT OR REPLACE INTO seal (id, bytes) VALUES (0, ?)");
  return (seal) => void set.run(encodeSeal(seal));
}

/** The writer of an open database. It keeps the hashes of rows in memory. */
export interface SealedWriter {
  /** Writes batches in one transaction, under the seal that it returns. */
  write(batches: readonly StoreBatch[]): Seal;
}

/** A writer for an open database. `rows` and `seal` are its contents, which the caller has verified. */
export function createSealedWriter(database: Database, rows: StoredRows, seal: Seal): SealedWriter {
  const sql = {
    clear: database.prepare<unknown[]>("DELETE FROM entries"),
    clearRaft: database.prepare<unknown[]>("DELETE FROM raft"),
    clearNamed: database.prepare<unknown[]>("DELETE FROM named"),
    deleteFrom: database.prepare<unknown[]>("DELETE FROM entries WHERE position >= ?"),
    deleteTo: database.prepare<unknown[]>("DELETE FROM entries WHERE position <= ?"),
    first: database.prepare<unknown[]>("SELECT min(position) FROM entries").pluck(),
    hashAt: database.prepare<unknown[]>("SELECT hash FROM entries WHERE position = ?").pluck(),
    insert: database.prepare<unknown[]>(
      "INSERT INTO entries (position, term, bytes, hash) VALUES (?, ?, ?, ?)",
    ),
    setRaft: database.prepare<unknown[]>("INSERT OR REPLACE INTO raft (name, bytes) VALUES (?, ?)"),
    setNamed: database.prepare<unknown[]>(
      "INSERT OR REPLACE INTO named (name, bytes) VALUES (?, ?)",
    ),
    removeNamed: database.prepare<unknown[]>("DELETE FROM named WHERE name = ?"),
    seal: setSeal(database),
  };
  let hashes = hashesOf(rows);
  let { baseHash, lastIndex, lastHash } = seal;
  let firstIndex = rows.entries[0]?.index ?? 0;
  let committed = seal;

  const clear = (): void => {
    sql.clear.run();
    [firstIndex, lastIndex, baseHash, lastHash] = [0, 0, noHash, noHash];
  };

  const deleteFrom = (index: number): void => {
    if (lastIndex === 0 || index > lastIndex) return;
    if (index <= firstIndex) {
      // The whole log is replaced, and its chain begins anew: the entry before it need not be of the same history.
      clear();
      return;
    }
    sql.deleteFrom.run(index);
    lastIndex = index - 1;
    lastHash = sql.hashAt.get(lastIndex) as Uint8Array;
  };

  const append = (entries: readonly StoredEntry[], first: number): void => {
    deleteFrom(first);
    checkEntries(
      lastIndex === 0 ? entries : [{ index: lastIndex, term: 0, bytes: emptyBytes }, ...entries],
    );
    if (firstIndex === 0) firstIndex = first;
    for (const entry of entries) {
      lastHash = entryHash(lastHash, entry);
      lastIndex = entry.index;
      sql.insert.run(entry.index, entry.term, entry.bytes, lastHash);
    }
  };

  const compactTo = (index: number): void => {
    if (firstIndex === 0 || index < firstIndex) return;
    if (index >= lastIndex) {
      clear();
      return;
    }
    baseHash = sql.hashAt.get(index) as Uint8Array;
    firstIndex = index + 1;
    sql.deleteTo.run(index);
  };

  const setRaft = (name: string, bytes: Uint8Array | undefined): void => {
    if (bytes === undefined) return;
    sql.setRaft.run(name, bytes);
    hashes.set(`raft ${name}`, rowHash(bytes));
  };

  const startOver = (): void => {
    clear();
    sql.clearRaft.run();
    sql.clearNamed.run();
    hashes = new Map();
  };

  const write = (batch: StoreBatch): void => {
    if (batch.startOver === true) startOver();
    setRaft("hardState", batch.hardState);
    setRaft("snapshot", batch.snapshot);
    if (batch.clearEntries === true) clear();
    const first = batch.entries?.[0]?.index;
    if (batch.entries !== undefined && first !== undefined) append(batch.entries, first);
    if (batch.compactTo !== undefined) compactTo(batch.compactTo);
    for (const [name, value] of batch.values ?? []) {
      if (value === undefined) {
        sql.removeNamed.run(name);
        hashes.delete(`named ${name}`);
      } else {
        sql.setNamed.run(name, value);
        hashes.set(`named ${name}`, rowHash(value));
      }
    }
  };

  const writeAll = database.transaction((batches: readonly StoreBatch[]): Seal => {
    batches.forEach(write);
    const { storeId, sequence } = committed;
    const digest = digestOf(hashes);
    const next = { storeId, sequence: sequence + 1, baseHash, lastIndex, lastHash, digest };
    sql.seal(next);
    return next;
  });
  return {
    write(batches) {
      committed = writeAll(batches);
      return committed;
    },
  };
}
