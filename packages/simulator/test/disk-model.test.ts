/** The simulated disk against the contract, and by seed: what a crash leaves is what the contract allows. */
import type { Disk } from "@orrery/ports";
import { completed, diskContract } from "@orrery/ports/contract";
import { forSeedsAsync } from "@orrery/seeds";
import { expect, test } from "vitest";
import { createDiskModel, type DiskModel } from "../src/disk-model.ts";
import { createVirtualWorld } from "./world.ts";

function newDisk(seed: number | string) {
  const world = createVirtualWorld(seed);
  const time = world.random("time");
  const model: DiskModel = createDiskModel({
    random: world.random("disk"),
    later: (action, moreMs) => void world.queue.schedule(time.int(1, 40) / 10 + moreMs, action),
    record: (event) => world.record("node", event),
  });
  let incarnation = 0;
  const open = (): Disk => {
    const mine = incarnation;
    return model.disk(() => mine === incarnation);
  };
  const crash = (): Disk => {
    incarnation += 1;
    model.crash();
    return open();
  };
  return { ...world, model, disk: open(), crash };
}

diskContract("simulated", async () => {
  const { disk, settle, crash } = newDisk(1);
  return { disk, settle, crash: async () => crash() };
});

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);
const contentOf = (disk: Disk, path: string): readonly number[] | undefined =>
  disk.exists(path) ? [...disk.read(path)] : undefined;

/** What may be left of bytes of which so many are durable: some of them, and of the others zeros from some place on. */
function mayBeLeft(left: readonly number[], written: readonly number[], durable = 0): boolean {
  const good = written.findIndex((byte, i) => left[i] !== byte);
  const isGoodUpTo = good === -1 ? written.length : good;
  return isGoodUpTo >= durable && left.slice(isGoodUpTo).every((byte) => byte === 0);
}

test("appends that were not synced leave a prefix, never less than what was synced", async () => {
  const seen = new Set<string>();
  await forSeedsAsync(200, async (_random, seed) => {
    const { disk, settle, crash } = newDisk(seed);
    disk.append("translog", bytes(1, 2, 3));
    await completed(settle, disk.sync(["translog"]));
    disk.append("translog", bytes(4, 5, 6));

    const after = contentOf(crash(), "translog") ?? [];

    expect(mayBeLeft(after, [1, 2, 3, 4, 5, 6], 3)).toBe(true);
    seen.add(after.slice(3).join());
  });
  for (const tail of ["", "4", "4,5", "4,5,6", "0", "4,0"]) expect(seen).toContain(tail);
});

test("what is written while a sync runs is not a part of it", async () => {
  const lengths = new Set<number>();
  await forSeedsAsync(60, async (_random, seed) => {
    const { disk, settle, crash } = newDisk(seed);
    disk.append("translog", bytes(1));
    const syncing = disk.sync(["translog"]);
    disk.append("translog", bytes(2));
    await completed(settle, syncing);

    lengths.add(contentOf(crash(), "translog")?.length ?? 0);
  });
  expect(lengths).toEqual(new Set([1, 2]));
});

test("a rewritten file is the old one, the new one or a torn new one", async () => {
  const seen = new Set<string>();
  await forSeedsAsync(80, async (_random, seed) => {
    const { disk, settle, crash } = newDisk(seed);
    disk.write("file", bytes(1, 1));
    await completed(settle, disk.sync(["file"]));
    disk.write("file", bytes(2, 2));

    seen.add(String(contentOf(crash(), "file")));
  });
  for (const content of ["1,1", "2,2", "2", ""]) expect(seen).toContain(content);
  for (const content of seen) expect(content).toMatch(/^1,1$|^(2,?)*(0,?)*$/);
});

test("a file rewritten during its sync keeps what the sync was asked for, or what came after", async () => {
  await forSeedsAsync(80, async (_random, seed) => {
    const { disk, settle, crash } = newDisk(seed);
    disk.write("file", bytes(1, 1));
    await completed(settle, disk.sync(["file"]));
    disk.write("file", bytes(2, 2));
    const syncing = disk.sync(["file"]);
    disk.write("file", bytes(3, 3));
    await completed(settle, syncing);

    expect(String(contentOf(crash(), "file"))).toMatch(/^2,2$|^(3,?)*(0,?)*$/);
  });
});

test("a truncated file may come back as it was durable before", async () => {
  const seen = new Set<string>();
  await forSeedsAsync(60, async (_random, seed) => {
    const { disk, settle, crash } = newDisk(seed);
    disk.append("translog", bytes(1, 2, 3));
    await completed(settle, disk.sync(["translog"]));
    disk.truncate("translog", 1);
    disk.append("translog", bytes(9));

    seen.add(String(contentOf(crash(), "translog")));
  });
  for (const content of ["1,2,3", "1,9", "1"]) expect(seen).toContain(content);
  expect(seen).not.toContain("");
});

test("a commit by rename is the old one or the new one, and the new one once the folder is synced", async () => {
  const seen = new Set<string>();
  await forSeedsAsync(60, async (random, seed) => {
    const { disk, settle, crash } = newDisk(seed);
    disk.write("shard/commit", bytes(1));
    await completed(settle, disk.sync(["shard/commit"]));
    disk.write("shard/commit.new", bytes(2));
    await completed(settle, disk.sync(["shard/commit.new"]));
    disk.rename("shard/commit.new", "shard/commit");
    const isSynced = random.int(0, 1) === 1;
    if (isSynced) await completed(settle, disk.syncFolder("shard"));

    const after = String(contentOf(crash(), "shard/commit"));

    if (isSynced) expect(after).toBe("2");
    seen.add(after);
  });
  expect(seen).toEqual(new Set(["1", "2"]));
});

test("a name that is used again after a rename keeps both files apart", async () => {
  await forSeedsAsync(60, async (_random, seed) => {
    const { disk, settle, crash } = newDisk(seed);
    for (const commit of [1, 2]) {
      disk.write("commit.new", bytes(commit));
      await completed(settle, disk.sync(["commit.new"]));
      disk.rename("commit.new", "commit");
    }

    const after = crash();

    // The second file was synced at its first name: everything before that is durable, too.
    expect(["1", "2"]).toContain(String(contentOf(after, "commit")));
    expect(["2", "undefined"]).toContain(String(contentOf(after, "commit.new")));
  });
});

test("a file renamed while it is synced is found at one of its two names", async () => {
  await forSeedsAsync(60, async (_random, seed) => {
    const { disk, settle, crash } = newDisk(seed);
    disk.write("before", bytes(7));
    const syncing = disk.sync(["before"]);
    disk.rename("before", "after");
    await completed(settle, syncing);

    const left = crash();

    expect([contentOf(left, "before"), contentOf(left, "after")].filter(Boolean)).toEqual([[7]]);
  });
});

test("a removed file may come back until its folder is synced", async () => {
  const seen = new Set<boolean>();
  await forSeedsAsync(40, async (random, seed) => {
    const { disk, settle, crash } = newDisk(seed);
    disk.write("shard/file", bytes(1));
    await completed(settle, disk.sync(["shard/file"]));
    disk.remove("shard");
    const isSynced = random.int(0, 1) === 1;
    if (isSynced) await completed(settle, disk.syncFolder("shard"));

    const isThere = crash().exists("shard/file");

    if (isSynced) expect(isThere).toBe(false);
    else seen.add(isThere);
  });
  expect(seen).toEqual(new Set([true, false]));
});

test("a sync under way when the node crashes is never answered", async () => {
  const { disk, crash, runOut } = newDisk(1);
  const ends: string[] = [];
  disk.append("translog", bytes(1));
  void disk.sync(["translog"]).then(
    () => ends.push("synced"),
    () => ends.push("failed"),
  );

  crash();
  await runOut();

  expect(ends).toEqual([]);
});

test("what a crashed incarnation still asks for is not done", () => {
  const { disk, crash } = newDisk(1);
  disk.append("file", bytes(1));
  const next = crash();

  disk.write("late", bytes(1));
  disk.append("late", bytes(1));
  disk.remove("file");

  expect(next.exists("late")).toBe(false);
});

test("a full disk refuses writes and syncs with a full error, and takes them again afterwards", async () => {
  const { disk, model, settle } = newDisk(1);
  disk.append("translog", bytes(1));
  const full = model.applyRule({ kind: "disk-full", node: "node" });

  const write = (): void => disk.append("translog", bytes(2));
  const synced = await completed(
    settle,
    disk.sync(["translog"]).catch((error: unknown) => error),
  );

  expect(write).toThrow(expect.objectContaining({ kind: "full" }));
  expect(synced).toMatchObject({ name: "DiskError", kind: "full" });
  expect(disk.usage().availableBytes).toBe(0);
  expect(full.hits()).toBeGreaterThan(2);
  full.end();
  await completed(settle, disk.sync(["translog"]));
  expect(contentOf(disk, "translog")).toEqual([1]);
});

const io = expect.objectContaining({ name: "DiskError", kind: "io" }) as unknown;
const target = { node: "node", path: "" };

test("a failing sync makes nothing durable, and only files of its path are meant", async () => {
  const { disk, model, settle, crash } = newDisk(4);
  disk.append("translog", bytes(1, 2, 3));
  disk.append("other", bytes(4));
  const applied = model.applyRule({ kind: "sync-fails", ...target, path: "trans", perMille: 1000 });

  const other = await completed(settle, disk.sync(["other"]));
  const failed = await completed(
    settle,
    disk.sync(["translog"]).catch((error: unknown) => error),
  );
  const lengths = new Set<number>();
  lengths.add(contentOf(crash(), "translog")?.length ?? 0);

  expect([other, failed, applied.hits()]).toEqual([undefined, io, 1]);
  expect(Math.max(...lengths)).toBeLessThan(3);
});

test("reads fail while the disk has read errors, and not after them", () => {
  const { disk, model } = newDisk(1);
  disk.write("segment", bytes(1, 2));
  const applied = model.applyRule({ kind: "read-error", ...target, perMille: 1000 });

  expect(() => disk.read("segment")).toThrow(io as Error);
  applied.end();

  expect([...disk.read("segment")]).toEqual([1, 2]);
  expect(applied.hits()).toBe(1);
});

test("a slow disk takes so much longer to sync", async () => {
  const { disk, model, settle, queue } = newDisk(1);
  disk.write("file", bytes(1));
  const applied = model.applyRule({ kind: "disk-slow", node: "node", delayMs: 500 });
  const startMs = queue.nowMs;

  await completed(settle, disk.sync(["file"]));

  expect(queue.nowMs - startMs).toBeGreaterThan(500);
  expect(applied.hits()).toBe(1);
});

test("bit rot turns a bit of what is durable", async () => {
  const { disk, model, settle, crash } = newDisk(1);
  disk.write("segment", bytes(0, 0, 0, 0));
  await completed(settle, disk.sync(["segment"]));

  const { hits } = model.applyRule({ kind: "bit-rot", ...target, bits: 1 });

  const turned = contentOf(crash(), "segment") ?? [];
  expect(turned.filter((byte) => byte !== 0)).toHaveLength(1);
  expect(hits()).toBe(1);
  expect(model.applyRule({ kind: "bit-rot", ...target, path: "nothing", bits: 1 }).hits()).toBe(0);
});

test("a torn write keeps a part of what was not synced, and never all of it is as it was written", async () => {
  await forSeedsAsync(30, async (_random, seed) => {
    const { disk, model, settle, crash } = newDisk(seed);
    disk.append("translog", bytes(1, 1));
    await completed(settle, disk.sync(["translog"]));
    disk.append("translog", bytes(2, 2, 2, 2));
    const applied = model.applyRule({ kind: "torn-write", ...target });

    const left = contentOf(crash(), "translog") ?? [];

    expect(left.slice(0, 2)).toEqual([1, 1]);
    expect(left).not.toEqual([1, 1, 2, 2, 2, 2]);
    expect(left.length).toBeGreaterThan(2);
    expect(applied.hits()).toBe(1);
  });
});

test("a file that is cut off behind what was synced keeps that through a torn write", async () => {
  await forSeedsAsync(20, async (_random, seed) => {
    const { disk, model, settle, crash } = newDisk(seed);
    disk.write("translog", bytes(1, 1));
    await completed(settle, disk.sync(["translog"]));
    disk.append("translog", bytes(2, 2));
    disk.truncate("translog", 3);
    model.applyRule({ kind: "torn-write", node: "node", path: "" });

    const left = contentOf(crash(), "translog") ?? [];

    expect(left.slice(0, 2)).toEqual([1, 1]);
    expect(left.length).toBeLessThanOrEqual(3);
  });
});

test("lost names are as if files had not been renamed, although their contents were synced", async () => {
  await forSeedsAsync(20, async (_random, seed) => {
    const { disk, model, settle, crash } = newDisk(seed);
    disk.write("pending", bytes(1));
    await completed(settle, disk.sync(["pending"]));
    disk.rename("pending", "commit");
    const applied = model.applyRule({ kind: "lost-name", node: "node" });

    const after = crash();

    expect([after.exists("pending"), after.exists("commit"), applied.hits()]).toEqual([
      true,
      false,
      1,
    ]);
  });
});

test("a node that is started again before the fault ends has a disk in order", async () => {
  const { disk, model, settle, crash } = newDisk(1);
  disk.write("before", bytes(1));
  model.applyRule({ kind: "lost-name", node: "node" });

  const after = crash();
  after.write("after", bytes(2));

  await completed(settle, after.sync(["after"]));
  expect(crash().exists("after")).toBe(true);
});

test("a disk that was wiped holds nothing", async () => {
  const { disk, model, settle, crash } = newDisk(1);
  disk.write("file", bytes(1));
  await completed(settle, disk.sync(["file"]));

  crash();
  model.wipe();

  expect(crash().list("")).toEqual([]);
});

// Any sequence of operations, and after the crash only what the contract allows of each file that was synced.
test("whatever happens, bytes of a finished sync are there after a crash", async () => {
  await forSeedsAsync(150, async (random, seed) => {
    const { disk, settle, crash } = newDisk(seed);
    const written = new Map<string, number[]>();
    const durable = new Map<string, number>();
    for (let i = 0; i < 40; i += 1) {
      const path = `folder-${random.int(1, 2)}/file-${random.int(1, 3)}`;
      if (random.int(0, 2) > 0) {
        disk.append(path, bytes(i));
        written.set(path, [...(written.get(path) ?? []), i]);
      } else if (written.has(path)) {
        const length = written.get(path)?.length ?? 0;
        await completed(settle, disk.sync([path]));
        durable.set(path, length);
      }
    }

    const after = crash();

    for (const [path, all] of written) {
      const kept = contentOf(after, path) ?? [];
      expect(kept.length).toBeLessThanOrEqual(all.length);
      expect(mayBeLeft(kept, all, durable.get(path))).toBe(true);
    }
  });
});

test("a sync that fails once and then lies: what it was for is read until the power is cut, and is not there afterwards", async () => {
  const { disk, model, settle, crash } = newDisk(1);
  disk.append("translog", bytes(1, 2));
  disk.write("commit", bytes(7, 7, 7));
  await completed(settle, disk.sync(["translog", "commit"]));
  disk.append("translog", bytes(3, 4));
  disk.write("commit", bytes(8, 8, 8, 8));
  const applied = model.applyRule({ kind: "pages-lost", node: "node", path: "", perMille: 1000 });
  await expect(completed(settle, disk.sync(["translog", "commit"]))).rejects.toThrow(
    "Input/output",
  );
  applied.end();
  disk.append("translog", bytes(5));

  await completed(settle, disk.sync(["translog", "commit"]));
  const before = [contentOf(disk, "translog"), contentOf(disk, "commit")];
  const after = crash();

  expect(applied.hits()).toBe(2);
  expect(before).toEqual([
    [1, 2, 3, 4, 5],
    [8, 8, 8, 8],
  ]);
  expect([contentOf(after, "translog"), contentOf(after, "commit")]).toEqual([
    [1, 2, 0, 0, 5],
    [7, 7, 7, 0],
  ]);
});

test("what is written anew after a sync that lied is durable once it is synced", async () => {
  const { disk, model, settle, crash } = newDisk(1);
  disk.write("commit", bytes(7, 7));
  const applied = model.applyRule({ kind: "pages-lost", node: "node", path: "", perMille: 1000 });
  await expect(completed(settle, disk.sync(["commit"]))).rejects.toThrow("Input/output");
  applied.end();

  disk.write("commit", bytes(8, 8));
  await completed(settle, disk.sync(["commit"]));

  expect(contentOf(crash(), "commit")).toEqual([8, 8]);
});

test("a disk that acknowledges syncs and does not do them loses what was written meanwhile", async () => {
  const { disk, model, settle } = newDisk(1);
  disk.append("translog", bytes(1));
  await completed(settle, disk.sync(["translog"]));
  const applied = model.applyRule({ kind: "sync-lies", node: "node", path: "trans" });
  disk.append("translog", bytes(2));
  await completed(settle, disk.sync(["translog"]));

  model.crash("lost");

  expect(applied.hits()).toBe(1);
  expect(contentOf(disk, "translog")).toEqual([1]);
});

test("a disk that is read only refuses every change, is read, and has room", async () => {
  const { disk, model } = newDisk(1);
  disk.write("file", bytes(1));
  const applied = model.applyRule({ kind: "read-only", node: "node" });

  for (const change of [
    () => disk.write("file", bytes(2)),
    () => disk.append("other", bytes(2)),
    () => disk.truncate("file", 0),
    () => disk.rename("file", "other"),
    () => disk.remove("file"),
  ])
    expect(change).toThrow("read-only file system");
  disk.remove("missing");
  expect(contentOf(disk, "file")).toEqual([1]);
  expect(disk.usage().freeBytes).toBeGreaterThan(0);

  applied.end();
  disk.remove("file");
  expect(disk.exists("file")).toBe(false);
});

test("a misdirected write puts a block of one file in place of another's, and leaves zeros", async () => {
  const { disk, model } = newDisk(1);
  disk.write("a.bin", bytes(1, 1, 1));
  disk.write("b.bin", bytes(2, 2));

  const applied = model.applyRule({
    kind: "misdirected-write",
    node: "node",
    path: ".bin",
    blocks: 1,
  });

  expect(applied.hits()).toBe(1);
  const found = [contentOf(disk, "a.bin"), contentOf(disk, "b.bin")];
  expect([
    [
      [0, 0, 1],
      [1, 1],
    ],
    [
      [2, 2, 1],
      [0, 0],
    ],
  ]).toContainEqual(found);
});

test("a disk that is full takes a part of what is written, and says that it has no room", async () => {
  const lengths = new Set<number>();
  await forSeedsAsync(40, async (_random, seed) => {
    const { disk, model } = newDisk(seed);
    disk.append("translog", bytes(1, 2));
    const applied = model.applyRule({ kind: "disk-full", node: "node" });
    expect(() => disk.append("translog", bytes(3, 4))).toThrow("no space left on device");
    applied.end();

    const left = contentOf(disk, "translog") ?? [];
    expect(left).toEqual([1, 2, 3].slice(0, left.length));
    lengths.add(left.length);
  });
  expect(lengths).toEqual(new Set([2, 3]));
});
