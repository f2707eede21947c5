/**
 * Durable state of a node: its Raft log and snapshot, and small named values (node id, cluster uuid, …).
 *
 * Contract: `write` is atomic; its promise ends when the batch is durable. Batches become durable in the
 * order they were written. A store that is in use or cannot be opened makes `open` fail with an
 * `OperationError`; one that cannot be written rejects `write`.
 *
 * INV-STORE-2: a batch whose write has ended is in what `load` answers after a restart, or `load` answers a `loss`. Such a store takes
 * no batch but one that starts over.
 */

/** The names of the values that hold a node's id, and its name. */
export const nodeIdName = "node_id";
export const nodeNameName = "node_name";

export interface NodeStore {
  load(): StoredNode;
  write(batch: StoreBatch): Promise<void>;
  close(): void;
}

export interface StoredEntry {
  readonly index: number;
  readonly term: number;
  readonly bytes: Uint8Array;
}

export interface StoredNode {
  readonly hardState: Uint8Array | undefined;
  readonly snapshot: Uint8Array | undefined;
  /** In order of their index, without gaps. */
  readonly entries: readonly StoredEntry[];
  readonly values: ReadonlyMap<string, Uint8Array>;
  /**
   * Why what was acknowledged is not all here. Then no part of hard state, snapshot and entries is given, and values only as far as they
   * are known to be this store's.
   */
  readonly loss: string | undefined;
  /** What was damaged and is whole again, a sentence each. */
  readonly repairs: readonly string[];
}

export interface StoreBatch {
  /** Forgets everything, a loss included, before the rest of the batch is written. */
  readonly startOver?: boolean;
  readonly hardState?: Uint8Array;
  readonly snapshot?: Uint8Array;
  /** Replaces every stored entry from the first one's index on. */
  readonly entries?: readonly StoredEntry[];
  /** Drops entries up to and including this index. */
  readonly compactTo?: number;
  /** Drops every entry, before `entries` are written: a received snapshot replaces the log. */
  readonly clearEntries?: boolean;
  /** `undefined` removes a value. */
  readonly values?: ReadonlyMap<string, Uint8Array | undefined>;
}
