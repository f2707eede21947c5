/** The simulated node store against the contract, and by seed: a crash keeps a prefix of what was written. */
import { completed, nodeStoreContract } from "@orrery/ports/contract";
import type { NodeStore } from "@orrery/ports";
import { forSeedsAsync } from "@orrery/seeds";
import { expect, test } from "vitest";
import { createStoreModel } from "../src/store-model.ts";
import { createVirtualWorld } from "./world.ts";

function newStore(seed: number | string) {
  const world = createVirtualWorld(seed);
  let freeAtMs = 0;
  const model = createStoreModel(world.random("store"), (action) => {
    freeAtMs = Math.max(freeAtMs, world.queue.nowMs) + 1;
    world.queue.schedule(freeAtMs - world.queue.nowMs, action);
  });
  let incarnation = 0;
  const open = (): NodeStore => {
    incarnation += 1;
    const mine = incarnation;
    return model.store(() => mine === incarnation);
  };
  const crash = (): NodeStore => {
    model.crash("drawn");
    return open();
  };
  return { ...world, model, store: open(), open, crash };
}

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

nodeStoreContract("simulated, stopped in an orderly way", async () => {
  const { store, open, settle } = newStore(1);
  return { store, reopen: async () => open(), settle };
});

nodeStoreContract("simulated, crashed", async () => {
  const { store, crash, settle } = newStore(1);
  return { store, reopen: async () => crash(), settle };
});

test("a crash keeps what was durable and a prefix of what was not", async () => {
  const kept = new Set<number>();
  await forSeedsAsync(60, async (_random, seed) => {
    const { store, crash, settle } = newStore(seed);
    await completed(settle, store.write({ hardState: bytes(0) }));
    const ends: number[] = [];
    for (let i = 1; i <= 5; i += 1) {
      const entries = [{ index: i, term: 1, bytes: bytes(i) }];
      void store.write({ hardState: bytes(i), entries }).then(() => ends.push(i));
    }
    const acknowledged = seed % 4;
    await settle(() => ends.length >= acknowledged);

    const after = crash().load();

    const count = after.hardState?.[0] ?? -1;
    expect(count).toBeGreaterThanOrEqual(acknowledged);
    expect(after.entries.map(({ index }) => index)).toEqual(
      Array.from({ length: count }, (_, i) => i + 1),
    );
    kept.add(count);
  });
  expect(kept.size).toBeGreaterThan(4);
});

test("what the next incarnation was told is durable survives a crash, whatever the last one left unfinished", async () => {
  await forSeedsAsync(30, async (_random, seed) => {
    const { store, open, crash, settle } = newStore(seed);
    void store.write({ values: new Map([["old", bytes(1)]]) });
    void store.write({ values: new Map([["old", bytes(2)]]) });
    const next = open();

    await completed(settle, next.write({ values: new Map([["new", bytes(3)]]) }));
    const after = crash().load();

    expect(after.values.get("new")).toEqual(bytes(3));
    expect(after.values.get("old")).toEqual(bytes(2));
  });
});

test("a write under way when the node crashes is never answered", async () => {
  const { store, crash, runOut } = newStore(1);
  const ends: string[] = [];
  void store.write({ hardState: bytes(1) }).then(() => ends.push("durable"));

  crash();
  await runOut();

  expect(ends).toEqual([]);
});

test("what a crashed incarnation still asks for is not done", async () => {
  const { store, crash, runOut } = newStore(1);
  const next = crash();

  void store.write({ hardState: bytes(1) });
  await runOut();

  expect(next.load().hardState).toBeUndefined();
});

test("entries that leave a gap are a programmer error", async () => {
  const { store, settle, runOut } = newStore(1);
  await completed(settle, store.write({ entries: [{ index: 1, term: 1, bytes: bytes() }] }));

  void store.write({ entries: [{ index: 3, term: 1, bytes: bytes() }] });

  await expect(runOut()).rejects.toThrow("leave a gap");
});

test("rot shows at the next start: nothing is missing, or the loss is told and lasts until the store starts over", async () => {
  const losses = new Set<string | undefined>();
  await forSeedsAsync(30, async (_random, seed) => {
    const { model, store, crash, settle } = newStore(seed);
    const values = new Map([["node_id", bytes(7)]]);
    await completed(settle, store.write({ hardState: bytes(1), values }));
    model.applyRule({ kind: "store-rot", node: "node-1", bits: 1 });
    await completed(settle, store.write({ hardState: bytes(2) }));

    const next = crash();
    const { loss, hardState } = next.load();
    losses.add(loss);

    expect(hardState).toEqual(loss === undefined ? bytes(2) : undefined);
    if (loss === undefined) return;
    await expect(next.write({ hardState: bytes(3) })).rejects.toThrow(loss);
    expect(crash().load().loss).toBe(loss);
    const over = crash();
    await completed(settle, over.write({ startOver: true, hardState: bytes(4) }));
    expect(crash().load()).toMatchObject({ loss: undefined, hardState: bytes(4) });
  });
  expect(losses.size).toBe(4);
});
