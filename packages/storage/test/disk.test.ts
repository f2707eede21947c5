/** The disks against the contract, and what the file system's error codes become. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiskError } from "@orrery/ports";
import { diskContract, settleInRealTime as settle } from "@orrery/ports/contract";
import { AssertionError } from "@orrery/stdx";
import { afterEach, describe, expect, test } from "vitest";
import { diskError } from "../src/disk-error.ts";
import { createFileDisk, createMemoryDisk } from "../src/index.ts";

const folders: string[] = [];
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "orrery-disk-"));
  folders.push(folder);
  return folder;
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

diskContract("files", async () => ({ disk: createFileDisk(temporaryFolder()), settle }));
diskContract("memory", async () => ({ disk: createMemoryDisk(), settle }));

describe("the file disk", () => {
  test("makes its folder", () => {
    const folder = join(temporaryFolder(), "nodes/0");

    createFileDisk(folder);

    expect(statSync(folder).isDirectory()).toBe(true);
  });

  test("keeps its folders and files from other users, also a folder that was open to them", () => {
    const folder = join(temporaryFolder(), "node");
    mkdirSync(folder);
    chmodSync(folder, 0o755);

    const disk = createFileDisk(folder);
    disk.write("a/b/c", new Uint8Array(1));
    disk.append("d", new Uint8Array(1));

    const modes = ["", "a", "a/b", "a/b/c", "d"].map((name) =>
      (statSync(join(folder, name)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(["700", "700", "700", "600", "600"]);
  });

  test("neither reads, writes nor cuts through a file that is a symbolic link", () => {
    const folder = temporaryFolder();
    const outside = join(temporaryFolder(), "outside");
    writeFileSync(outside, "secret");
    symlinkSync(outside, join(folder, "link"));
    const disk = createFileDisk(folder);

    expect(() => disk.read("link")).toThrow(DiskError);
    expect(() => disk.write("link", new Uint8Array(1))).toThrow(DiskError);
    expect(() => disk.append("link", new Uint8Array(1))).toThrow(DiskError);
    expect(() => disk.truncate("link", 0)).toThrow(DiskError);
    expect(readFileSync(outside, "utf8")).toBe("secret");
  });

  test("never leaves its folder", () => {
    const disk = createFileDisk(temporaryFolder());

    expect(() => disk.write("../outside", new Uint8Array(1))).toThrow(AssertionError);
    expect(() => disk.read("/etc/hostname")).toThrow(AssertionError);
  });

  test("says so when a file is in the place of a folder", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "x");
    const disk = createFileDisk(folder);

    expect(() => disk.write("file/inside", new Uint8Array(1))).toThrow(DiskError);
    expect(disk.list("file")).toEqual([]);
  });

  test("keeps working with more files than it keeps open", async () => {
    const disk = createFileDisk(temporaryFolder());
    const paths = Array.from({ length: 200 }, (_, i) => `f/${i}`);

    for (const path of paths) disk.append(path, new Uint8Array([1]));
    const syncs = disk.sync(paths);
    for (const path of paths) disk.append(path, new Uint8Array([2]));
    await syncs;
    await disk.sync(paths);

    expect(paths.map((path) => disk.sizeBytes(path))).toEqual(paths.map(() => 2));
  });
});

test("a memory disk that is full says so and stays as it was", () => {
  const disk = createMemoryDisk(100);
  disk.write("a", new Uint8Array(90));

  expect(() => disk.append("a", new Uint8Array(11))).toThrow(
    expect.objectContaining({ name: "DiskError", kind: "full" }),
  );
  disk.append("a", new Uint8Array(10));
  expect([disk.sizeBytes("a"), disk.usage().freeBytes]).toEqual([100, 0]);
});

test.each([
  ["ENOSPC", "full"],
  ["EDQUOT", "full"],
  ["EROFS", "read-only"],
  ["EACCES", "read-only"],
  ["ENOENT", "missing"],
  ["EISDIR", "missing"],
  ["EIO", "io"],
  ["EMFILE", "io"],
])("%s is a %s error, told without the place of the data folder", (code, kind) => {
  const cause = Object.assign(new Error(`${code}: text of it, open '/home/of/a/b'`), { code });

  const told = diskError("a/b", cause);

  expect(told).toMatchObject({ kind, path: "a/b", message: "text of it: [a/b]" });
});

test("a file that was never made leaves nothing on the file system", () => {
  const folder = temporaryFolder();
  const disk = createFileDisk(folder);

  expect(() => disk.truncate("none", 0)).toThrow(DiskError);

  expect(existsSync(join(folder, "none"))).toBe(false);
});
