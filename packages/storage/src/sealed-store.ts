/**
 * Opening of a node's two files, the SQLite database and the commit marker, and the comparison of their seals.
 *
 * INV-STORE-2: acknowledged batches are in an opened store, or it reports a loss. The marker is written after the
 * commit and before the acknowledgement, so an intact database is at the marker's seal or one commit ahead of it.
 */
import { randomBytes } from "node:crypto";
import { renameSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type SqliteModule from "better-sqlite3";
import type { Database } from "better-sqlite3";
import { openMarker, readMarker, type CommitMarker, type MarkerState } from "./commit-marker.ts";
import { makePrivateFile, makePrivateFolder } from "./private-files.ts";
import { digestOf, isSameSeal, noHash, type Seal } from "./seal.ts";
import {
  createTables,
  readContent,
  sealRows,
  type Content,
  type StoredRows,
} from "./sealed-rows.ts";
import { cannotOpen, isDamage, messageOf } from "./store-error.ts";

/** Time for which an ending node may hold the lock against the next one. */
const lockWaitMs = 1000;

/** An opened store, with its lock held. */
export interface SealedStore {
  readonly database: Database;
  readonly marker: CommitMarker;
  readonly rows: StoredRows;
  /** The seal of `rows`; after a loss, the seal that a new beginning follows. */
  readonly seal: Seal;
  /** Why acknowledged batches are missing; `undefined` when none is. */
  readonly loss: string | undefined;
  /** Whether the rows are this node's own, not those of another store's file in its place. */
  readonly isOwn: boolean;
  /** Damage that was repaired without loss, a sentence each. */
  readonly repairs: readonly string[];
}

const unreadFrames: Content = { kind: "damaged", reason: "its write-ahead file cannot be read" };

export const noRows: StoredRows = { raft: new Map(), named: new Map(), entries: [] };

export function markerFile(file: string): string {
  return file.replace(/(\.sqlite)?$/, ".marker");
}

/**
 * Opens a store, creates it if it is missing, and takes its lock.
 * @throws OperationError The file is in use, from a newer version, or cannot be opened.
 */
export function openSealedStore(file: string): SealedStore {
  try {
    makePrivateFolder(dirname(file));
    return openFiles(file);
  } catch (error) {
    throw cannotOpen(file, error);
  }
}

function openFiles(file: string): SealedStore {
  let { database, content } = openDatabase(file);
  const damage = content.kind === "damaged" ? content.reason : undefined;
  if (damage !== undefined) {
    database?.close();
    setAside(file);
    ({ database, content } = openDatabase(file));
  }
  if (database === undefined) throw new Error(damage);
  try {
    return compare(file, database, content, damage);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens the database and takes its lock, which guards the whole folder. Without a database: it is damaged. */
function openDatabase(file: string): {
  readonly database: Database | undefined;
  readonly content: Content;
} {
  // Loaded on demand: threads and worlds without a store do not pay for the native module.
  const require = createRequire(import.meta.url);
  const Sqlite = require("better-sqlite3") as typeof SqliteModule;
  let database: Database | undefined;
  const hadFrames = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  try {
    makePrivateFile(file);
    database = new Sqlite(file, { timeout: lockWaitMs });
    database.pragma("locking_mode = EXCLUSIVE");
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = FULL");
    database.pragma("wal_autocheckpoint = 0");
    // The first transaction takes the lock; locking_mode keeps it.
    database.exec("BEGIN EXCLUSIVE; COMMIT");
    const content = readContent(database, file);
    // A write-ahead file with frames of which none is readable: commits existed, so the store is damaged, not new.
    const isUnread =
      content.kind === "new" && hadFrames && readMarker(markerFile(file)).kind === "absent";
    return { database, content: isUnread ? unreadFrames : content };
  } catch (error) {
    database?.close();
    if (!isDamage(error)) throw error;
    return { database: undefined, content: { kind: "damaged", reason: messageOf(error) } };
  }
}

/** Keeps damaged files beside the store for inspection; those of an earlier damage are removed. */
function setAside(file: string): void {
  const kept = `${file}.damaged`;
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${kept}${suffix}`, { force: true });
  for (const suffix of ["-wal", ""]) {
    try {
      renameSync(`${file}${suffix}`, `${kept}${suffix}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  rmSync(`${file}-shm`, { force: true });
}

function compare(
  file: string,
  database: Database,
  content: Content,
  damage: string | undefined,
): SealedStore {
  const markerPath = markerFile(file);
  const state = readMarker(markerPath);
  const isBeginning =
    state.kind === "absent" || (state.kind === "sealed" && state.seal.sequence === 0);
  if (damage === undefined && isBeginning && content.kind === "new") {
    return begin(database, openMarker(markerPath), state);
  }
  if (damage === undefined && isBeginning && content.kind === "unsealed") {
    return upgrade(database, openMarker(markerPath), content.rows);
  }
  const loss = lossOf(content, state, damage, file);
  const marker = openMarker(markerPath);
  if (loss === undefined && content.kind === "sealed") {
    const { seal, rows } = content;
    const repairs = repair(marker, state, seal, markerPath);
    return { database, marker, rows, seal, loss, isOwn: true, repairs };
  }
  if (content.kind !== "sealed" && content.kind !== "unsealed") {
    if (content.kind === "new") createTables(database, firstSeal());
    return {
      database,
      marker,
      rows: noRows,
      seal: nextSeal(state),
      loss,
      isOwn: false,
      repairs: [],
    };
  }
  const sealed = content.kind === "sealed" ? content.seal : firstSeal();
  if (content.kind === "unsealed") sealRows(database, content.rows, sealed);
  // Named values of another store, such as a node id, must not become this node's.
  const isForeign = state.kind === "sealed" && state.seal.storeId !== sealed.storeId;
  const rows = isForeign ? { ...content.rows, named: new Map() } : content.rows;
  return {
    database,
    marker,
    rows,
    seal: nextSeal(state, sealed),
    loss,
    isOwn: !isForeign,
    repairs: [],
  };
}

/** Begins a new store. The marker is written first: a database without a marker then always means a lost marker. */
function begin(database: Database, marker: CommitMarker, state: MarkerState): SealedStore {
  const seal = state.kind === "sealed" ? state.seal : firstSeal();
  if (state.kind !== "sealed") marker.begin(seal);
  createTables(database, seal);
  return { database, marker, rows: noRows, seal, loss: undefined, isOwn: true, repairs: [] };
}

function upgrade(database: Database, marker: CommitMarker, rows: StoredRows): SealedStore {
  const first = firstSeal();
  marker.replace(first);
  const seal = sealRows(database, rows, first);
  marker.replace(seal);
  return { database, marker, rows, seal, loss: undefined, isOwn: true, repairs: [] };
}

function lossOf(
  content: Content,
  state: MarkerState,
  damage: string | undefined,
  file: string,
): string | undefined {
  const marker = markerFile(file);
  if (damage !== undefined) {
    return `[${file}] is damaged: ${damage}; it is kept as [${file}.damaged]`;
  }
  if (state.kind === "absent") return `the commit marker [${marker}] is missing`;
  if (state.kind === "unreadable") return `the commit marker [${marker}] is damaged`;
  const { seal } = state;
  if (content.kind !== "sealed") {
    return `[${file}] is missing or empty, and [${seal.sequence}] commits were acknowledged`;
  }
  const found = content.seal;
  if (found.storeId !== seal.storeId) {
    return `[${file}] and the commit marker [${marker}] are of different stores`;
  }
  if (found.sequence < seal.sequence) {
    return `[${file}] ends with commit [${found.sequence}], and commit [${seal.sequence}] was acknowledged`;
  }
  if (found.sequence > seal.sequence + 1) {
    return `the commit marker [${marker}] is of commit [${seal.sequence}], older than commit [${found.sequence}] of [${file}]`;
  }
  if (found.sequence > seal.sequence) return undefined;
  if (!isSameSeal(found, seal)) {
    return `[${file}] and the commit marker [${marker}] tell different commits [${seal.sequence}]`;
  }
  if (!state.isOtherLost) return undefined;
  return `half of the commit marker [${marker}] is damaged: whether commit [${seal.sequence + 1}] was acknowledged is not known`;
}

/** Brings the marker of an intact store up to the database's last commit, and repairs its damaged pages. */
function repair(
  marker: CommitMarker,
  state: MarkerState,
  seal: Seal,
  path: string,
): readonly string[] {
  if (state.kind !== "sealed") return [];
  const isDamaged = state.isOtherLost || state.isCopyDamaged;
  if (isDamaged) marker.replace(seal);
  else if (state.seal.sequence < seal.sequence) marker.write(seal);
  return isDamaged ? [`the commit marker [${path}] was damaged, and is written anew`] : [];
}

function firstSeal(): Seal {
  return {
    storeId: randomBytes(16).toString("hex"),
    sequence: 0,
    baseHash: noHash,
    lastIndex: 0,
    lastHash: noHash,
    digest: digestOf(new Map()),
  };
}

/** The seal that a start-over follows: a new store id, and a sequence not below any earlier one. */
function nextSeal(state: MarkerState, found?: Seal): Seal {
  const first = firstSeal();
  const marked = state.kind === "sealed" ? state.seal.sequence : 0;
  return {
    ...(found ?? first),
    storeId: first.storeId,
    sequence: Math.max(marked, found?.sequence ?? 0),
  };
}
