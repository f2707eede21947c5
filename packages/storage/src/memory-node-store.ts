/** The NodeStore port in memory: its contents survive restarts of the node for as long as this object is kept. */
import type { NodeStore, StoreBatch, StoredEntry, StoredNode } from "@orrery/ports";
import { checkEntries } from "./entries.ts";

export function createMemoryNodeStore(): NodeStore {
  let hardState: Uint8Array | undefined;
  let snapshot: Uint8Array | undefined;
  let entries: StoredEntry[] = [];
  const values = new Map<string, Uint8Array>();

  const apply = (batch: StoreBatch): void => {
    const startsOver = batch.startOver === true;
    hardState = batch.hardState?.slice() ?? (startsOver ? undefined : hardState);
    snapshot = batch.snapshot?.slice() ?? (startsOver ? undefined : snapshot);
    const { compactTo, values: changed } = batch;
    if (startsOver) values.clear();
    if (startsOver || batch.clearEntries === true) entries = [];
    const first = batch.entries?.[0]?.index;
    if (batch.entries !== undefined && first !== undefined) {
      checkEntries(batch.entries);
      entries = entries.filter(({ index }) => index < first);
      checkEntries([...entries.slice(-1), ...batch.entries]);
      for (const { index, term, bytes } of batch.entries) {
        entries.push({ index, term, bytes: bytes.slice() });
      }
    }
    if (compactTo !== undefined) entries = entries.filter(({ index }) => index > compactTo);
    for (const [name, value] of changed ?? []) {
      if (value === undefined) values.delete(name);
      else values.set(name, value.slice());
    }
  };

  return {
    load: (): StoredNode => ({
      hardState,
      snapshot,
      entries: [...entries],
      values: new Map(values),
      loss: undefined,
      repairs: [],
    }),
    async write(batch) {
      apply(batch);
    },
    close() {},
  };
}
