/** What a loss of power leaves of a disk, and of a node that ends with it. */
import type { Disk } from "@orrery/ports";
import { diskContract, settleInRealTime as settle } from "@orrery/ports/contract";
import { createRandom } from "@orrery/stdx";
import { forSeedsAsync } from "@orrery/seeds";
import { createMemoryDisk, createMemoryNodeStore } from "@orrery/storage";
import { describe, expect, test } from "vitest";
import {
  createFaultState,
  createNodeLifetime,
  clockEndingWithNode,
  storeEndingWithNode,
  withPowerLoss,
  type FaultState,
  type PowerLossDisk,
} from "../src/index.ts";
import { createVirtualClock } from "./virtual-clock.ts";

interface Powered extends PowerLossDisk {
  /** What is there after a restart. */
  readonly below: Disk;
  readonly state: FaultState;
}

function powered(seed: number | string = 1): Powered {
  const below = createMemoryDisk();
  const state = createFaultState();
  const random = createRandom(`power-${seed}`);
  return { below, state, ...withPowerLoss(below, { self: "node-1", state, random }) };
}

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

diskContract("that can lose its power", async () => {
  const { disk, below, cutPower } = powered();
  const crash = async (): Promise<Disk> => {
    cutPower("drawn");
    return below;
  };
  return { disk, settle, crash };
});

describe("a power loss that keeps nothing unsynced", () => {
  test("cuts a file to what was synced", async () => {
    const { disk, below, cutPower } = powered();
    disk.append("f/log", bytes(1, 2));
    await disk.sync(["f/log"]);
    disk.append("f/log", bytes(3, 4));

    cutPower("lost");

    expect(below.read("f/log")).toEqual(bytes(1, 2));
  });

  test("brings back what a file held before it was rewritten, and takes away a new one", async () => {
    const { disk, below, cutPower } = powered();
    disk.write("f/state", bytes(1));
    await disk.sync(["f/state"]);
    disk.write("f/state", bytes(2));
    disk.write("f/new", bytes(3));

    cutPower("lost");

    expect([below.read("f/state"), below.exists("f/new")]).toEqual([bytes(1), false]);
  });

  test("undoes renames that were not synced, newest first, and no others", async () => {
    const { disk, below, cutPower } = powered();
    disk.write("f/commit.0", bytes(0));
    disk.write("f/commit.1", bytes(1));
    disk.write("f/commit.2", bytes(2));
    await disk.sync(["f/commit.0", "f/commit.1", "f/commit.2"]);
    disk.rename("f/commit.0", "f/commit");
    await disk.syncFolder("f");
    disk.rename("f/commit.1", "f/commit");
    disk.rename("f/commit.2", "f/commit");

    cutPower("lost");

    expect(below.list("f").map((name) => [name, below.read(`f/${name}`)])).toEqual([
      ["commit", bytes(0)],
      ["commit.1", bytes(1)],
      ["commit.2", bytes(2)],
    ]);
  });

  test("does nothing of what is asked afterwards", async () => {
    const { disk, below, cutPower } = powered();
    cutPower("lost");

    disk.write("f/a", bytes(1));
    let isDone = false;
    void disk.sync([]).then(() => (isDone = true));
    for (let i = 0; i < 10; i += 1) await Promise.resolve();

    expect([below.exists("f/a"), isDone]).toEqual([false, false]);
  });
});

describe("torn-write", () => {
  test("a torn write leaves a part of what was not synced, and counts", () => {
    const { disk, below, state, cutPower } = powered();
    state.set([{ id: "1", kind: "torn-write", node: "node-1", path: "log" }]);
    disk.append("f/log", bytes(1, 2, 3, 4));

    cutPower("drawn");

    expect(below.sizeBytes("f/log")).toBeLessThan(4);
    expect(state.hits.get("1")).toBe(1);
  });
});

describe("lost-name", () => {
  test("lost names undo every rename that was not synced, whatever is drawn", async () => {
    const { disk, below, state, cutPower } = powered();
    disk.write("f/a.new", bytes(1));
    await disk.sync(["f/a.new"]);
    state.set([{ id: "1", kind: "lost-name", node: "node-1" }]);
    disk.rename("f/a.new", "f/a");

    cutPower("drawn");

    expect([below.list("f"), state.hits.get("1")]).toEqual([["a.new"], 1]);
  });

  test("lost names take new files away, and no sync ends that would make their names durable", async () => {
    const { disk, below, state, cutPower } = powered();
    disk.write("f/old", bytes(1));
    await disk.sync(["f/old"]);
    state.set([{ id: "1", kind: "lost-name", node: "node-1" }]);
    disk.write("f/new", bytes(2));
    let ended = 0;
    for (const sync of [disk.sync(["f/new"]), disk.syncFolder("f")])
      void sync.then(() => (ended += 1));
    await disk.sync(["f/old"]);
    for (let i = 0; i < 10; i += 1) await Promise.resolve();

    cutPower("drawn");

    expect([below.list("f"), ended, state.hits.get("1")]).toEqual([["old"], 0, 3]);
  });
});

test("whatever is drawn, a file begins with what was synced of it", async () => {
  await forSeedsAsync(100, async (random) => {
    const { disk, below, cutPower } = powered(random.int(0, 1_000_000));
    const written: number[] = [];
    let synced = 0;
    for (let i = 0; i < 20; i += 1) {
      const more = Array.from({ length: random.int(1, 5) }, () => random.int(0, 255));
      disk.append("f/log", Uint8Array.from(more));
      written.push(...more);
      if (random.int(0, 3) > 0) continue;
      await disk.sync(["f/log"]);
      synced = written.length;
    }

    cutPower("drawn");

    const left = below.exists("f/log") ? [...below.read("f/log")] : [];
    expect(left.length).toBeGreaterThanOrEqual(synced);
    expect(left).toEqual(written.slice(0, left.length));
  });
});

test("a node that has ended fires no timer and writes nothing", async () => {
  const time = createVirtualClock();
  const lifetime = createNodeLifetime();
  const clock = clockEndingWithNode(time.clock, lifetime);
  const below = createMemoryNodeStore();
  const store = storeEndingWithNode(below, lifetime);
  await store.write({ hardState: bytes(1) });
  const done: string[] = [];
  clock.setTimer(10, () => done.push("timer"));

  lifetime.end();
  void store.write({ hardState: bytes(2) }).then(() => done.push("write"));
  await time.advance(100);

  expect([done, below.load().hardState]).toEqual([[], bytes(1)]);
});
