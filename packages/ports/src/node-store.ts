/**
 * The NodeStore port: durable state of a node, that is, its Raft log and snapshot and small named values (node id,
 * cluster uuid, …).
 *
 * Contract: `write` is atomic and resolves when the batch is durable. Batches become durable in the order in which
 * they were written. Opening a store that is in use or unreadable fails with an `OperationError`; a failed `write`
 * rejects.
 *
 * INV-STORE-2: a batch whose write has resolved is in the result of `load` after a restart, or `load` reports a
 * `loss`. A store with a loss accepts only a batch that starts over.
 */

/** Names of the values that hold a node's id and its name. */
export const nodeIdName = "node_id";
export const nodeNameName = "node_name";

export interface NodeStore {
  load(): StoredNode;
  write(batch: StoreBatch): Promise<void>;
  close(): void;
}

/** An entry of the Raft log, encoded by `cluster-manager`. */
export interface StoredEntry {
  readonly index: number;
  readonly term: number;
  readonly bytes: Uint8Array;
}

/** The contents of a store. */
export interface StoredNode {
  /** `undefined` in a new store, and after a loss. */
  readonly hardState: Uint8Array | undefined;
  readonly snapshot: Uint8Array | undefined;
  /** Ascending by index, without gaps. */
  readonly entries: readonly StoredEntry[];
  readonly values: ReadonlyMap<string, Uint8Array>;
  /**
   * Why acknowledged state is missing; `undefined` when none is. After a loss hard state, snapshot and entries are
   * empty, and values are those that are known to belong to this store.
   */
  readonly loss: string | undefined;
  /** Damage that was repaired without loss, a sentence each. */
  readonly repairs: readonly string[];
}

/** One atomic change. Absent members change nothing. */
export interface StoreBatch {
  /** Clears the store, a loss included, before the rest of the batch is written. */
  readonly startOver?: boolean;
  readonly hardState?: Uint8Array;
  readonly snapshot?: Uint8Array;
  /** Replaces every stored entry from the first one's index on. */
  readonly entries?: readonly StoredEntry[];
  /** Removes entries up to and including this index. */
  readonly compactTo?: number;
  /** Removes all entries before `entries` are written: a received snapshot replaces the log. */
  readonly clearEntries?: boolean;
  /** Values to set; `undefined` removes one. */
  readonly values?: ReadonlyMap<string, Uint8Array | undefined>;
}
