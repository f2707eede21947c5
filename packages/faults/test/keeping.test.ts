/** What each fault does to files, to the node's store and to its clock. */
import { DiskError, type Disk } from "@orrery/ports";
import { createRandom } from "@orrery/stdx";
import { createMemoryDisk, createMemoryNodeStore } from "@orrery/storage";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createFaultState,
  rotDisk,
  withClockFaults,
  withDiskFaults,
  withStoreFaults,
  type FaultState,
} from "../src/index.ts";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";

const here = { node: "node-1" };
const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

let time: VirtualClock;
let state: FaultState;
let options: Parameters<typeof withDiskFaults>[1];

beforeEach(() => {
  time = createVirtualClock();
  state = createFaultState();
  options = { self: "node-1", state, clock: time.clock, random: createRandom("faults") };
});

/** What it ended with, if it has. */
function watch(promise: Promise<unknown>): () => string {
  let end = "waits";
  promise.then(
    () => (end = "done"),
    (error: unknown) => {
      end = error instanceof Error ? error.message : String(error);
    },
  );
  return () => end;
}

const failure = (act: () => unknown): string => {
  try {
    act();
    return "nothing was thrown";
  } catch (error) {
    return error instanceof DiskError ? error.kind : String(error);
  }
};

let below: Disk;
let disk: Disk;
beforeEach(() => {
  below = createMemoryDisk();
  disk = withDiskFaults(below, options);
});

describe("disk-full", () => {
  test("refuses writes, reports no free space, and keeps what is on the disk", async () => {
    disk.append("f/log", bytes(1));
    state.set([{ id: "1", kind: "disk-full", ...here }]);
    const synced = watch(disk.sync(["f/log"]));
    await time.advance(0);

    expect(failure(() => disk.append("f/log", bytes(2)))).toBe("full");
    expect(failure(() => disk.write("f/new", bytes(2)))).toBe("full");
    expect([disk.usage().freeBytes, synced()]).toEqual([
      0,
      "no space left on device, writing [f/log]",
    ]);
    expect([disk.read("f/log"), disk.exists("f/new")]).toEqual([bytes(1), false]);
    state.set([]);
    disk.append("f/log", bytes(2));
    expect(disk.read("f/log")).toEqual(bytes(1, 2));
  });

  test("of another node changes nothing", () => {
    state.set([{ id: "1", kind: "disk-full", node: "node-2" }]);

    disk.write("f/a", bytes(1));

    expect(disk.read("f/a")).toEqual(bytes(1));
  });
});

describe("disk-slow", () => {
  test("completes each sync later", async () => {
    disk.write("f/a", bytes(1));
    state.set([{ id: "1", kind: "disk-slow", ...here, delayMs: 100 }]);
    const synced = watch(disk.sync(["f/a"]));

    await time.advance(99);
    const before = synced();
    await time.advance(1);

    expect([before, synced(), state.hits.get("1")]).toEqual(["waits", "done", 1]);
  });
});

describe("sync-fails", () => {
  test("fails the syncs of the selected files", async () => {
    disk.write("f/a", bytes(1));
    disk.write("g/a", bytes(1));
    state.set([{ id: "1", kind: "sync-fails", ...here, path: "f/", perMille: 1000 }]);
    const outcomes = [watch(disk.sync(["f/a"])), watch(disk.sync(["g/a"]))];
    await time.advance(0);

    expect(outcomes.map((outcome) => outcome())).toEqual(["sync of [f/a] failed", "done"]);
  });
});

describe("read-error", () => {
  test("fails the reads of the selected files", () => {
    disk.write("f/a", bytes(1));
    disk.write("f/b", bytes(1));
    state.set([{ id: "1", kind: "read-error", ...here, path: "/a", perMille: 1000 }]);

    expect([failure(() => disk.read("f/a")), failure(() => disk.read("f/b"))]).toEqual([
      "io",
      "nothing was thrown",
    ]);
  });
});

describe("bit-rot", () => {
  test("flips one bit of one of the selected files, once", () => {
    disk.write("indices/a", bytes(0, 0, 0, 0));
    disk.write("indices/b", bytes(0, 0, 0, 0));
    disk.write("node.json", bytes(0));
    rotDisk(below, options);
    const rot = { id: "1", kind: "bit-rot", ...here, path: "", bits: 1 } as const;
    state.set([rot]);
    state.set([rot, { id: "2", kind: "disk-full", ...here }]);

    const bits = ["indices/a", "indices/b", "node.json"].map((path) =>
      disk.read(path).reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0),
    );
    expect(bits.toSorted((a, b) => a - b)).toEqual([0, 0, 1]);
    expect([bits[2], state.hits.get("1")]).toEqual([0, 1]);
  });

  test("flips no bit again when the node comes back", () => {
    disk.write("indices/a", bytes(0));
    const rot = { id: "1", kind: "bit-rot", ...here, path: "", bits: 1 } as const;
    state.set([rot]);

    rotDisk(below, options);
    state.set([rot]);

    expect(disk.read("indices/a")).toEqual(bytes(0));
  });
});

describe("store-rot", () => {
  test("flips a bit of the node's store, and none of the disk's files", () => {
    disk.write("indices/a", bytes(0));
    disk.write("node.marker", bytes(0, 0));
    rotDisk(below, options);

    state.set([{ id: "1", kind: "store-rot", ...here, bits: 1 }]);

    const marker = disk.read("node.marker").map((byte) => byte & (byte - 1));
    expect(disk.read("node.marker")).not.toEqual(bytes(0, 0));
    // One bit only: each byte is 0, or a power of two.
    expect(marker).toEqual(bytes(0, 0));
    expect(disk.read("indices/a")).toEqual(bytes(0));
    expect(state.hits.get("1")).toBe(1);
  });

  test("leaves the database itself alone, whose handle the process holds", () => {
    disk.write("node.sqlite", bytes(0));
    disk.write("node.sqlite-wal", bytes(0));
    rotDisk(below, options);

    state.set([{ id: "1", kind: "store-rot", ...here, bits: 40 }]);

    expect(disk.read("node.sqlite")).toEqual(bytes(0));
    expect(state.hits.get("1")).toBe(40);
  });
});

describe("store-fails", () => {
  test("rejects writes, and keeps what the store had", async () => {
    const store = withStoreFaults(createMemoryNodeStore(), options);
    await store.write({ hardState: bytes(1) });
    state.set([{ id: "1", kind: "store-fails", ...here }]);
    const written = watch(store.write({ hardState: bytes(2) }));
    await time.advance(0);

    expect(written()).toContain("the store of [node-1] cannot be written");
    expect(store.load().hardState).toEqual(bytes(1));
  });
});

describe("store-slow", () => {
  test("completes writes late, and in order after its end", async () => {
    const store = withStoreFaults(createMemoryNodeStore(), options);
    state.set([{ id: "1", kind: "store-slow", ...here, delayMs: 100 }]);
    const order: number[] = [];
    void store.write({ hardState: bytes(1) }).then(() => order.push(1));
    state.set([]);
    void store.write({ hardState: bytes(2) }).then(() => order.push(2));

    await time.advance(99);
    const before = [...order];
    await time.advance(1);

    expect([before, order]).toEqual([[], [1, 2]]);
  });
});

describe("clock-skew", () => {
  test("shows another time, and measures durations as before", () => {
    const clock = withClockFaults(time.clock, options);
    state.set([{ id: "1", kind: "clock-skew", ...here, offsetMs: -500, driftPerMillion: 0 }]);

    expect([clock.nowMs(), clock.monotonicMs()]).toEqual([500, 1000]);
  });

  test("with a drift shows a time that is more and more wrong", async () => {
    const clock = withClockFaults(time.clock, options);
    state.set([{ id: "1", kind: "clock-skew", ...here, offsetMs: 0, driftPerMillion: 100_000 }]);
    const first = clock.nowMs();
    await time.advance(1000);

    expect([first, clock.nowMs(), clock.monotonicMs()]).toEqual([1000, 2100, 2000]);
  });
});

describe("clock-strobe", () => {
  test("shows the right time and another one, each for half of the period", async () => {
    const clock = withClockFaults(time.clock, options);
    // The clock below begins at 1000.
    state.set([{ id: "1", kind: "clock-strobe", ...here, offsetMs: 500, periodMs: 100 }]);
    const shown: number[] = [];
    for (let half = 0; half < 4; half += 1) {
      shown.push(clock.nowMs() - clock.monotonicMs());
      await time.advance(50);
    }

    expect(shown).toEqual([0, 500, 0, 500]);
    state.set([]);
    expect(clock.nowMs()).toBe(clock.monotonicMs());
  });
});

describe("clock-jump", () => {
  test("shows another time, and measures durations as before", async () => {
    const clock = withClockFaults(time.clock, options);
    state.set([{ id: "1", kind: "clock-jump", ...here, offsetMs: 3_600_000 }]);
    const first = clock.nowMs();
    await time.advance(10);

    expect([first, clock.nowMs() - first, clock.monotonicMs()]).toEqual([3_601_000, 10, 1010]);
  });

  test("adds up with other rules, and leaves other nodes alone", () => {
    const clock = withClockFaults(time.clock, options);
    state.set([
      { id: "1", kind: "clock-jump", ...here, offsetMs: 100 },
      { id: "2", kind: "clock-jump", ...here, offsetMs: -30 },
      { id: "3", kind: "clock-jump", node: "node-2", offsetMs: 9 },
    ]);

    expect(clock.nowMs()).toBe(1070);
  });
});

describe("pause", () => {
  test("holds timers until the node goes on", async () => {
    const clock = withClockFaults(time.clock, options);
    const fired: string[] = [];
    state.set([{ id: "1", kind: "pause", ...here }]);
    clock.setTimer(10, () => fired.push("first"));
    clock.setTimer(20, () => fired.push("second"));
    const cancel = clock.setTimer(20, () => fired.push("cancelled"));
    await time.advance(1000);
    const before = fired.length;

    cancel();
    state.set([]);

    expect([before, fired]).toEqual([0, ["first", "second"]]);
  });
});

describe("slow", () => {
  test("delays timers", async () => {
    const clock = withClockFaults(time.clock, options);
    let isFired = false;
    state.set([{ id: "1", kind: "slow", ...here, delayMs: 30 }]);
    clock.setTimer(10, () => (isFired = true));

    await time.advance(39);
    const before = isFired;
    await time.advance(1);

    expect([before, isFired]).toEqual([false, true]);
  });
});
