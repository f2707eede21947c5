/** What a power cut leaves of small files: some of the first bytes, and zeros or nothing behind them. */
import { forSeedsAsync } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import { CorruptStoreError } from "../src/store/corruption.ts";
import { markCorrupted, readCorruptionMarker } from "../src/store/read-stores.ts";
import { closeBatch } from "../src/engine/operations.ts";
import { commitFile, encodeCommit, readCommit, type Commit } from "../src/store/commit.ts";
import {
  encodeHeader,
  encodeMark,
  markDamage,
  markFile,
  markTag,
  readGeneration,
  translogFile,
} from "../src/translog/generation.ts";
import { openEngine, readCommits } from "../src/engine/open.ts";
import { createCrashDisk, type CrashDisk } from "./crash-disk.ts";
import { createFixture, newEngine, put, read, reopen } from "./engine-fixture.ts";

const header = encodeHeader({ translogUuid: "uuid", generation: 3, primaryTerm: 2 });

function flipped(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  copy[5] = (copy[5] ?? 0) ^ 4;
  return copy;
}

/** All that a torn write of these bytes may have left. */
function tornForms(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: bytes.length }, (_, kept) => {
    const zeros = new Uint8Array(bytes.length);
    zeros.set(bytes.subarray(0, kept));
    return [bytes.slice(0, kept), zeros];
  }).flat();
}

describe("a torn file", () => {
  test("of a translog without operations counts as none, wherever it was cut", () => {
    for (const bytes of tornForms(header)) {
      const disk = createCrashDisk([[translogFile("log", 3), bytes]]);

      expect(readGeneration(disk, "log", 3, "uuid")).toBeUndefined();
    }
  });

  test("of a translog without operations leaves no hole: the store opens again and again", async () => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    put(engine, "1", "a");
    closeBatch(engine);
    await engine.translog.sync();
    engine.translog.roll(1);
    const path = translogFile(fixture.options.paths.translog, engine.translog.generation);
    fixture.disk.truncate(path, 5);

    const once = await reopen(fixture);
    put(once, "2", "b");
    closeBatch(once);
    await once.translog.sync();
    const twice = await reopen(fixture);

    expect([read(twice, "1"), read(twice, "2")]).toEqual(["a", "b"]);
  });

  test("of a translog that is gone is missed, also when it was the last one", async () => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    put(engine, "1", "a");
    closeBatch(engine);
    await engine.translog.sync();
    engine.translog.roll(1);
    put(engine, "2", "b");
    closeBatch(engine);
    await engine.translog.sync();
    fixture.disk.remove(translogFile(fixture.options.paths.translog, engine.translog.generation));

    await expect(reopen(fixture)).rejects.toThrow(
      /translog generation \[\d+\] of \[.*\] is missing/,
    );
  });

  test.each([
    ["is missing", (disk: CrashDisk, path: string) => disk.remove(path)],
    ["is damaged", (disk: CrashDisk, path: string) => disk.write(path, flipped(disk.read(path)))],
    ["holds no mark", (disk: CrashDisk, path: string) => disk.truncate(path, 3)],
  ])("of the mark of a translog that holds operations is told: it %s", async (what, harm) => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    put(engine, "1", "a");
    closeBatch(engine);
    await engine.translog.sync();
    const { options, disk } = fixture;
    const open = () => {
      const commits = readCommits(disk, options.paths);
      return openEngine(options, { primaryTerm: 1 }, commits).damage;
    };
    const whole = open();

    harm(disk, markFile(options.paths.translog, engine.translog.generation));

    expect([whole, open()]).toEqual([[], [expect.stringContaining(what)]]);
  });

  test("that marks damaged files still marks them", () => {
    const disk = createCrashDisk();
    markCorrupted(disk, "state", {
      type: "corrupt_index_exception",
      reason: "checksum failed",
      status: 500,
    });
    const [path = ""] = disk.paths;
    const whole = disk.read(path);

    expect(readCorruptionMarker(disk, "state")?.reason).toBe("checksum failed");
    for (const bytes of tornForms(whole)) {
      const torn = createCrashDisk([[path, bytes]]);

      expect(readCorruptionMarker(torn, "state")?.type).toBe("corrupt_index_exception");
    }
  });
});

describe("a file in the place of another", () => {
  test("is no translog generation, when something of the one that was there is durable", async () => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    put(engine, "1", "a");
    closeBatch(engine);
    await engine.translog.sync();
    const first = engine.translog.generation;
    engine.translog.roll(1);
    put(engine, "2", "b");
    closeBatch(engine);
    await engine.translog.sync();
    const { translog } = fixture.options.paths;
    const before = fixture.disk.read(translogFile(translog, first)).slice();
    fixture.disk.write(translogFile(translog, first + 1), before);

    await expect(reopen(fixture)).rejects.toThrow(`it is generation [${first}] of translog`);
  });

  test("is no file of this translog, when it is of another one", () => {
    const mine = encodeMark({ offset: header.length, globalCheckpoint: 1 }, markTag("uuid"));
    const other = encodeHeader({ translogUuid: "other", generation: 3, primaryTerm: 2 });
    const disk = createCrashDisk([
      [translogFile("log", 3), other],
      [markFile("log", 3), mine],
    ]);

    expect(() => readGeneration(disk, "log", 3, "uuid")).toThrow("of translog [other]");
  });

  test.each([
    ["is damage where something was durable", header.length],
    ["is nothing where nothing was", 0],
  ])("%s, if a folder has its name", (_, offset) => {
    const mark = encodeMark({ offset, globalCheckpoint: 1 }, markTag("uuid"));
    const disk = createCrashDisk([
      [`${translogFile("log", 3)}/inner`, header],
      [markFile("log", 3), mark],
    ]);
    const found = (): unknown => readGeneration(disk, "log", 3, "uuid");

    if (offset === 0) expect(found()).toBeUndefined();
    else expect(found).toThrow(CorruptStoreError);
  });

  test("has no mark, if a folder has the mark's name", () => {
    const disk = createCrashDisk([
      [translogFile("log", 3), header],
      [`${markFile("log", 3)}/inner`, header],
    ]);

    expect(readGeneration(disk, "log", 3, "uuid")).toMatchObject({ syncedBytes: 0 });
    expect(markDamage(disk, "log", 3, "uuid")).toContain("is missing");
  });

  test("is no commit point but the one of its name", () => {
    const disk = createCrashDisk();
    disk.write(`index/${commitFile(7)}`, encodeCommit({ generation: 6 } as Commit));

    expect(() => readCommit(disk, "index", 7)).toThrow("it is commit [6]");
  });
});

test("operations whose sync failed are written anew when they are found: another sync of their file may lie", async () => {
  await forSeedsAsync(30, async (random) => {
    const fixture = createFixture();
    const { disk } = fixture;
    const engine = await newEngine(fixture);
    put(engine, "1", "a");
    closeBatch(engine);
    disk.failSync = true;
    await expect(engine.translog.sync()).rejects.toThrow("sync failed");
    engine.translog.close();
    disk.failSync = false;
    disk.lostFile = translogFile(fixture.options.paths.translog, engine.translog.generation);

    const reopened = await reopen(fixture);
    const persisted = reopened.tracker.persistedCheckpoint;
    // The name means another file by now.
    disk.lostFile = undefined;
    const after = await reopen(createFixture(disk.crash(random)));

    expect(persisted).toBe(0);
    expect(read(after, "1")).toBe("a");
  });
});

test("what was written anew and did not take its place before a crash is removed", async () => {
  const fixture = createFixture();
  const engine = await newEngine(fixture);
  const left = `${translogFile(fixture.options.paths.translog, engine.translog.generation)}.new`;
  fixture.disk.write(left, new Uint8Array([1]));

  await reopen(fixture);

  expect(fixture.disk.exists(left)).toBe(false);
});

test("a sync of a translog that is closed meanwhile is done, or rejected: it is what an acknowledgement waits for", async () => {
  await forSeedsAsync(30, async (random) => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    put(engine, "1", "a");
    closeBatch(engine);

    engine.translog.close();
    await engine.translog.sync();
    const after = await reopen(createFixture(fixture.disk.crash(random)));

    expect(read(after, "1")).toBe("a");
  });
});
