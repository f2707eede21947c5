/** The contract of the NodeStore port. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { NodeStore, StoredEntry } from "../src/index.ts";
import { completed, type Settle } from "./settle.ts";

export interface NodeStoreWorld {
  readonly store: NodeStore;
  /** Ends what holds the store now, gracefully or not, and opens it again. */
  reopen(): Promise<NodeStore>;
  readonly settle: Settle;
  end?(): Promise<void>;
}

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);
const entry = (index: number, term: number): StoredEntry => ({
  index,
  term,
  bytes: bytes(index, term),
});
const entries = (from: number, to: number, term: number): StoredEntry[] =>
  Array.from({ length: to - from + 1 }, (_, i) => entry(from + i, term));

export function nodeStoreContract(name: string, makeWorld: () => Promise<NodeStoreWorld>): void {
  describe(`the node store contract: ${name}`, () => {
    let world: NodeStoreWorld;
    const done = <T>(promise: Promise<T>): Promise<T> => completed(world.settle, promise);

    beforeEach(async () => {
      world = await makeWorld();
    });
    afterEach(async () => {
      await world.end?.();
    });

    test("a new store is empty", () => {
      const { hardState, snapshot, entries: log, values } = world.store.load();

      expect([hardState, snapshot, log, [...values]]).toEqual([undefined, undefined, [], []]);
    });

    test("what was written is there after a restart", async () => {
      await done(
        world.store.write({
          hardState: bytes(1),
          snapshot: bytes(2, 2),
          entries: entries(1, 3, 1),
          values: new Map([["node_id", bytes(7)]]),
        }),
      );

      const loaded = (await world.reopen()).load();

      expect(loaded).toEqual({
        hardState: bytes(1),
        snapshot: bytes(2, 2),
        entries: entries(1, 3, 1),
        values: new Map([["node_id", bytes(7)]]),
        loss: undefined,
        repairs: [],
      });
    });

    test("starting over forgets everything that was there before", async () => {
      const before = new Map([["a", bytes(1)]]);
      await done(
        world.store.write({
          hardState: bytes(1),
          snapshot: bytes(2),
          entries: entries(1, 3, 1),
          values: before,
        }),
      );

      await done(world.store.write({ startOver: true, values: new Map([["b", bytes(2)]]) }));
      await done(world.store.write({ entries: entries(7, 8, 2) }));
      const loaded = (await world.reopen()).load();

      expect(loaded).toEqual({
        hardState: undefined,
        snapshot: undefined,
        entries: entries(7, 8, 2),
        values: new Map([["b", bytes(2)]]),
        loss: undefined,
        repairs: [],
      });
    });

    test("what a batch does not name stays as it was", async () => {
      await done(world.store.write({ hardState: bytes(1), entries: entries(1, 2, 1) }));

      await done(world.store.write({ values: new Map([["a", bytes(1)]]) }));
      await done(world.store.write({}));
      const loaded = (await world.reopen()).load();

      expect([loaded.hardState, loaded.entries]).toEqual([bytes(1), entries(1, 2, 1)]);
    });

    test("entries replace every stored entry from the first one's index on", async () => {
      await done(world.store.write({ entries: entries(1, 5, 1) }));

      await done(world.store.write({ entries: [entry(3, 2)] }));
      const loaded = (await world.reopen()).load();

      expect(loaded.entries).toEqual([...entries(1, 2, 1), entry(3, 2)]);
    });

    test("compaction drops entries up to and including an index", async () => {
      await done(world.store.write({ entries: entries(1, 5, 1) }));

      await done(world.store.write({ snapshot: bytes(9), compactTo: 3 }));
      const loaded = (await world.reopen()).load();

      expect(loaded.entries).toEqual(entries(4, 5, 1));
    });

    test("clearing drops every entry before new ones are written", async () => {
      await done(world.store.write({ entries: entries(1, 5, 1) }));

      await done(world.store.write({ clearEntries: true, entries: entries(100, 101, 4) }));
      const loaded = (await world.reopen()).load();

      expect(loaded.entries).toEqual(entries(100, 101, 4));
    });

    test("a value is replaced, and removed with undefined", async () => {
      const values = (...pairs: [string, Uint8Array | undefined][]) => ({ values: new Map(pairs) });
      await done(world.store.write(values(["a", bytes(1)], ["b", bytes(2)])));

      await done(world.store.write(values(["a", bytes(3)], ["b", undefined], ["c", undefined])));
      const loaded = (await world.reopen()).load();

      expect(loaded.values).toEqual(new Map([["a", bytes(3)]]));
    });

    test("batches become durable in the order they were written", async () => {
      const order: number[] = [];
      const writes = Array.from({ length: 20 }, (_, i) =>
        world.store
          .write({ hardState: bytes(i), entries: entries(i + 1, i + 1, 1) })
          .then(() => order.push(i)),
      );

      await done(Promise.all(writes));
      const loaded = (await world.reopen()).load();

      expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
      expect([loaded.hardState, loaded.entries]).toEqual([bytes(19), entries(1, 20, 1)]);
    });

    test("a batch is the store's own once it was written", async () => {
      const mine = bytes(1, 2);
      const writing = world.store.write({
        hardState: mine,
        entries: [{ index: 1, term: 1, bytes: mine }],
      });
      await done(writing);

      mine.fill(0);
      const loaded = (await world.reopen()).load();

      expect([loaded.hardState, loaded.entries[0]?.bytes]).toEqual([bytes(1, 2), bytes(1, 2)]);
    });

    test("loaded bytes are plain byte arrays", async () => {
      await done(world.store.write({ hardState: bytes(1, 2, 3) }));

      const { hardState } = (await world.reopen()).load();

      // A `Buffer` would answer with a view.
      expect(hardState?.slice(1).buffer).not.toBe(hardState?.buffer);
    });
  });
}
