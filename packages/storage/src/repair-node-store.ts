/**
 * A node store as an operator sees and repairs it: what is left of one that lost something, taken as all there is, or given up.
 *
 * It holds the lock of the store while it is open: a node that runs is not repaired.
 */
import type { StoredNode } from "@orrery/ports";
import { createSealedWriter, givenUpName } from "./sealed-rows.ts";
import { openSealedStore } from "./sealed-store.ts";
import { lossOfRows } from "./sqlite-node-store.ts";

export interface StoreRepair {
  /** What can be read, also of a log that lost something. */
  readonly left: StoredNode;
  /** Of a loss: what is left is this store's own, and can be taken for all there was. */
  readonly isUsable: boolean;
  /** Changes of named values; `undefined` removes one. */
  set(values: ReadonlyMap<string, Uint8Array | undefined>): void;
  /** From now on what is left is all that was ever acknowledged. */
  acceptLoss(): void;
  /** From now on the node waits to be let in anew. `kept` are values that outlive the log. */
  giveUp(kept: ReadonlyMap<string, Uint8Array>): void;
  close(): void;
}

/** Throws `OperationError` when the file is in use, from a newer version, or cannot be opened. */
export function openStoreRepair(file: string): StoreRepair {
  const { database, marker, rows, seal, loss, isOwn, repairs } = openSealedStore(file);
  const writer = createSealedWriter(database, rows, seal);
  const { raft, entries, named } = rows;
  const left: StoredNode = {
    hardState: raft.get("hardState"),
    snapshot: raft.get("snapshot"),
    entries,
    values: named,
    loss: loss ?? lossOfRows(rows),
    repairs,
  };
  return {
    left,
    isUsable: loss !== undefined && isOwn && raft.size > 0,
    // Both pages of the marker: nothing of what it said before counts.
    set: (values) => marker.replace(writer.write([{ values }])),
    acceptLoss: () => marker.replace(writer.write([{}])),
    giveUp(kept) {
      const values = new Map([...kept, [givenUpName, new Uint8Array([1])]]);
      marker.replace(writer.write([{ startOver: true, values }]));
    },
    close() {
      database.close();
      marker.close();
    },
  };
}
