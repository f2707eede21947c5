/**
 * The NodeStore port over one SQLite file and the commit marker beside it.
 *
 * All batches of one turn share one commit. The commit (WAL with synchronous FULL) and its seal in the marker are
 * durable before the turn ends. The file is held by an exclusive lock of the operating system: a second node is
 * refused, and a killed one leaves no lock behind. After a failed write the store refuses all others: a later batch
 * must not become durable without the failed one.
 */
import type { NodeStore, StoreBatch, StoredNode } from "@orrery/ports";
import { AssertionError, type OperationError } from "@orrery/stdx";
import { createSealedWriter, givenUpName, readContent, type StoredRows } from "./sealed-rows.ts";
import { noRows, openSealedStore } from "./sealed-store.ts";
import { cannotOpen, cannotWrite } from "./store-error.ts";

/** Pages of the write-ahead file above which it is checkpointed; 4 MiB. */
const checkpointPages = 1000;

/**
 * Opens a node store over a SQLite file, which is created if it is missing.
 * @throws OperationError The file is in use, from a newer version, or cannot be opened.
 */
export function openNodeStore(file: string): NodeStore {
  const { database, marker, rows, seal, loss, repairs } = openSealedStore(file);
  const writer = createSealedWriter(database, rows, seal);
  const pagesInLog = database.prepare<[], { log: number }>("PRAGMA wal_checkpoint(NOOP)");
  let lost = loss ?? lossOfRows(rows);
  /** The rows for `load`; undefined after a write, when they must be read again. */
  let known: StoredRows | undefined = rows;
  let pending: { batch: StoreBatch; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let broken: OperationError | undefined;
  let isClosed = false;
  let checkpoint: NodeJS.Timeout | undefined;

  const commit = (batches: readonly StoreBatch[]): void => {
    const startsOver = batches.some((batch) => batch.startOver === true);
    if (lost !== undefined && batches[0]?.startOver !== true) throw new Error(lost);
    known = undefined;
    const written = writer.write(batches);
    if (startsOver) marker.replace(written);
    else marker.write(written);
    if (startsOver) lost = undefined;
  };

  const flush = (): void => {
    const group = pending;
    pending = [];
    if (group.length === 0) return;
    try {
      if (broken !== undefined) throw broken;
      commit(group.map(({ batch }) => batch));
      if ((pagesInLog.get()?.log ?? 0) > checkpointPages) {
        checkpoint ??= setTimeout(checkpointLog, 20).unref();
      }
    } catch (error) {
      if (error instanceof AssertionError) throw error;
      broken ??= cannotWrite(file, error);
      for (const { reject } of group) reject(broken);
      return;
    }
    for (const { resolve } of group) resolve();
  };

  /** Checkpoints the write-ahead file in a later turn, so that no write waits for it. */
  const checkpointLog = (): void => {
    checkpoint = undefined;
    if (!isClosed) database.pragma("wal_checkpoint(PASSIVE)");
  };

  const readAgain = (): StoredRows => {
    const content = readContent(database, file);
    if (content.kind === "sealed") return content.rows;
    const reason = content.kind === "damaged" ? content.reason : "it is not sealed";
    throw cannotOpen(file, new Error(reason));
  };

  return {
    load() {
      known ??= readAgain();
      return stored(known, lost, repairs);
    },
    write: (batch) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(cannotWrite(file, new Error("the store is closed")));
          return;
        }
        pending.push({ batch, resolve, reject });
        // A tick that a microtask requests runs after all microtasks of this turn: their batches share the commit.
        if (pending.length === 1) queueMicrotask(() => process.nextTick(flush));
      }),
    close() {
      if (isClosed) return;
      flush();
      isClosed = true;
      clearTimeout(checkpoint);
      database.close();
      marker.close();
    },
  };
}

/** The loss that an operator has recorded in the store by abandoning its log; `undefined`: none. */
export function lossOfRows({ named }: StoredRows): string | undefined {
  return named.has(givenUpName)
    ? "this node has given up its part of the cluster state"
    : undefined;
}

/** After a loss no part of the log is returned: a shorter log would pass for the complete one. */
function stored(
  rows: StoredRows,
  loss: string | undefined,
  repairs: readonly string[],
): StoredNode {
  const { raft, entries } = loss === undefined ? rows : noRows;
  return {
    hardState: raft.get("hardState"),
    snapshot: raft.get("snapshot"),
    entries,
    values: rows.named,
    loss,
    repairs,
  };
}
