/**
 * A node store as an operator inspects and repairs it: after a loss, its remains can be declared complete, or
 * abandoned.
 *
 * The store's lock is held while it is open, so a running node cannot be repaired.
 */
import type { StoredNode } from "@orrery/ports";
import { createSealedWriter, givenUpName } from "./sealed-rows.ts";
import { openSealedStore } from "./sealed-store.ts";
import { lossOfRows } from "./sqlite-node-store.ts";

/** An opened store for repairs. All changes are durable when they return. */
export interface StoreRepair {
  /** The readable contents; after a loss, unlike `NodeStore.load`, the rest of the log too. */
  readonly left: StoredNode;
  /** Whether `acceptLoss` can declare the remains complete: after a loss, if they are this store's own and have Raft state. */
  readonly isUsable: boolean;
  /** Changes named values; `undefined` removes one. */
  set(values: ReadonlyMap<string, Uint8Array | undefined>): void;
  /** Declares the remains to be everything that was acknowledged. */
  acceptLoss(): void;
  /** Abandons the log: the node then waits to be readmitted. `kept` are named values to keep. */
  giveUp(kept: ReadonlyMap<string, Uint8Array>): void;
  close(): void;
}

/**
 * Opens a node store for repairs.
 * @throws OperationError The file is in use, from a newer version, or cannot be opened.
 */
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
    // Both pages of the marker are replaced, so that no seal from before the repair remains.
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
