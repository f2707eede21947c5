/**
 * Durable state of a node: its Raft log and snapshot, and small named values (node id, cluster uuid, …).
 *
 * Contract: `write` is atomic; its promise ends when the batch is durable. Batches become durable in the
 * order they were written. A store that cannot be read or is in use makes `open` fail with an
 * `OperationError`; one that cannot be written rejects `write`.
 */

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
}

export interface StoreBatch {
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
