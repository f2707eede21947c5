/** The contract of the Disk port. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DiskError, type Disk } from "../src/index.ts";
import { completed, type Settle } from "./settle.ts";

export interface DiskWorld {
  readonly disk: Disk;
  readonly settle: Settle;
  /** What a crash of the machine leaves; absent where a test cannot crash it. */
  crash?(): Promise<Disk>;
  end?(): Promise<void>;
}

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

export function diskContract(name: string, makeWorld: () => Promise<DiskWorld>): void {
  describe(`the disk contract: ${name}`, () => {
    let world: DiskWorld;
    let disk: Disk;
    const done = <T>(promise: Promise<T>): Promise<T> => completed(world.settle, promise);

    beforeEach(async () => {
      world = await makeWorld();
      disk = world.disk;
    });
    afterEach(async () => {
      await world.end?.();
    });

    test("a file is read as it was written, at once and before any sync", () => {
      disk.write("a/b/file", bytes(1, 2, 3));
      disk.append("a/b/file", bytes(4));
      disk.append("a/b/file", bytes(5, 6));

      expect(disk.read("a/b/file")).toEqual(bytes(1, 2, 3, 4, 5, 6));
      expect(disk.sizeBytes("a/b/file")).toBe(6);
    });

    test("a range of a file is read alone", () => {
      disk.write("file", bytes(1, 2, 3, 4, 5));

      expect(disk.read("file", { offset: 1, length: 3 })).toEqual(bytes(2, 3, 4));
      expect(disk.read("file", { offset: 5, length: 0 })).toEqual(bytes());
    });

    test("a read past the end is an io error", () => {
      disk.write("file", bytes(1, 2, 3));

      expect(problem(() => disk.read("file", { offset: 1, length: 3 }))).toBe("io");
    });

    test("what was read is over shared memory and does not change any more", () => {
      disk.write("file", bytes(1, 2, 3));
      const before = disk.read("file");

      disk.append("file", bytes(4));
      disk.truncate("file", 1);
      disk.append("file", bytes(9, 9));

      expect(before.buffer).toBeInstanceOf(SharedArrayBuffer);
      expect(before).toEqual(bytes(1, 2, 3));
      expect(disk.read("file")).toEqual(bytes(1, 9, 9));
    });

    test("the caller may change bytes after it has written them", () => {
      const mine = bytes(1, 2, 3);
      disk.write("file", mine);
      disk.append("file", mine);

      mine.fill(0);

      expect(disk.read("file")).toEqual(bytes(1, 2, 3, 1, 2, 3));
    });

    test("write replaces, append makes a file that is missing", () => {
      disk.append("new/file", bytes(1));
      disk.write("new/file", bytes(2, 3));
      disk.append("new/file", bytes(4));

      expect(disk.read("new/file")).toEqual(bytes(2, 3, 4));
    });

    test("truncate shortens, and an append goes on from there", () => {
      disk.append("log", bytes(1, 2, 3, 4));

      disk.truncate("log", 2);
      disk.append("log", bytes(5));

      expect(disk.read("log")).toEqual(bytes(1, 2, 5));
    });

    test("list names what is directly inside a folder, sorted", () => {
      for (const path of ["shard/b", "shard/a/x", "shard/a/y", "shard/c", "other"]) {
        disk.write(path, bytes(1));
      }

      expect(disk.list("shard")).toEqual(["a", "b", "c"]);
      expect(disk.list("")).toEqual(["other", "shard"]);
      expect(disk.list("missing")).toEqual([]);
    });

    test("exists knows files and folders", () => {
      disk.write("folder/file", bytes(1));

      expect(["folder", "folder/file", "folder/fil", "x"].map((path) => disk.exists(path))).toEqual(
        [true, true, false, false],
      );
    });

    test("rename moves a file over another one, and an append follows the new name", () => {
      disk.append("manifest.new", bytes(2));
      disk.write("manifest", bytes(1));

      disk.rename("manifest.new", "manifest");
      disk.append("manifest", bytes(3));
      disk.append("manifest.new", bytes(9));

      expect(disk.read("manifest")).toEqual(bytes(2, 3));
      expect(disk.read("manifest.new")).toEqual(bytes(9));
    });

    test("rename moves a folder with all it holds", () => {
      disk.append("a/deep/file", bytes(1));

      disk.rename("a", "b");
      disk.append("b/deep/file", bytes(2));

      expect(disk.exists("a")).toBe(false);
      expect(disk.read("b/deep/file")).toEqual(bytes(1, 2));
    });

    test("remove takes a file or a whole folder, and nothing happens when it is missing", () => {
      disk.write("shard/a", bytes(1));
      disk.append("shard/b/c", bytes(1));
      disk.write("kept", bytes(1));

      disk.remove("shard");
      disk.remove("shard");

      expect(disk.list("")).toEqual(["kept"]);
      disk.append("shard/b/c", bytes(2));
      expect(disk.read("shard/b/c")).toEqual(bytes(2));
    });

    test.each([
      ["read", (at: Disk) => at.read("none")],
      ["sizeBytes", (at: Disk) => at.sizeBytes("none")],
      ["truncate", (at: Disk) => at.truncate("none", 0)],
      ["rename", (at: Disk) => at.rename("none", "other")],
    ])("%s of a missing file is a missing error", (_, operation) => {
      expect(problem(() => operation(disk))).toBe("missing");
    });

    test("sync of a missing file is a missing error", async () => {
      const outcome = await done(disk.sync(["none"]).catch((error: unknown) => error));

      expect(outcome).toBeInstanceOf(DiskError);
      expect((outcome as DiskError).kind).toBe("missing");
    });

    test("many syncs of one file at the same time all complete", async () => {
      const syncs: Promise<void>[] = [];
      for (let i = 0; i < 50; i += 1) {
        disk.append("translog", bytes(i));
        syncs.push(disk.sync(["translog"]));
      }

      await done(Promise.all(syncs));

      expect(disk.sizeBytes("translog")).toBe(50);
    });

    test("a sync that runs while its file is removed or renamed does not fail", async () => {
      disk.append("gone", bytes(1));
      disk.append("moved", bytes(2));
      const syncs = [disk.sync(["gone", "moved"]), disk.sync(["gone", "moved"])];

      disk.remove("gone");
      disk.rename("moved", "there");
      await done(Promise.all(syncs));

      expect(disk.list("")).toEqual(["there"]);
    });

    test("syncFolder completes for a folder and for the data folder itself", async () => {
      disk.write("a/b", bytes(1));

      await done(disk.syncFolder("a"));
      await done(disk.syncFolder(""));

      expect(disk.list("a")).toEqual(["b"]);
    });

    test("usage adds up", () => {
      const { totalBytes, freeBytes, availableBytes } = disk.usage();

      expect(totalBytes).toBeGreaterThan(0);
      expect(freeBytes).toBeLessThanOrEqual(totalBytes);
      expect(availableBytes).toBeLessThanOrEqual(freeBytes);
    });

    test("what was synced survives a crash", async ({ skip }) => {
      if (world.crash === undefined) return skip("this adapter has no crash to test");
      disk.write("segment", bytes(1, 2, 3));
      disk.append("translog", bytes(4));
      await done(disk.sync(["segment", "translog"]));
      disk.write("commit.new", bytes(5));
      await done(disk.sync(["commit.new"]));
      disk.rename("commit.new", "commit");
      await done(disk.syncFolder(""));
      disk.append("translog", bytes(9));

      const after = await world.crash();

      expect(after.read("segment")).toEqual(bytes(1, 2, 3));
      expect(after.read("translog", { offset: 0, length: 1 })).toEqual(bytes(4));
      expect(after.read("commit")).toEqual(bytes(5));
      return undefined;
    });
  });
}

function problem(operation: () => unknown): string {
  try {
    operation();
  } catch (error) {
    return error instanceof DiskError ? error.kind : `no DiskError: ${String(error)}`;
  }
  return "nothing was thrown";
}
