/**
 * The Disk port over a folder of the file system.
 *
 * All operations but `sync` and `syncFolder` are complete when they return. Syncs run in the thread pool; concurrent
 * calls for one file share a system call. Reads come in shared memory, which other threads can be given.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { DiskError, type Disk } from "@orrery/ports";
import { asDiskError, errorCode } from "./disk-error.ts";
import { createFolderSync } from "./folder-sync.ts";
import { createOpenFiles, type OpenFile } from "./open-files.ts";
import { checkPath, folderOf, isInside } from "./path.ts";
import { makePrivateFolder, PRIVATE_FOLDER } from "./private-files.ts";

/** The disk over a folder, which is created if it is missing; throws `DiskError` when that fails. */
export function createFileDisk(folder: string): Disk {
  const root = resolve(folder);
  const absolute = (path: string): string => join(root, checkPath(path));
  const files = createOpenFiles(absolute);
  const folders = createFolderSync(absolute);
  /** Files whose names may not be durable yet: their first sync also syncs the folder. */
  const unsyncedNames = new Set<string>();
  asDiskError(folder, () => makePrivateFolder(root));

  const makeFolder = (path: string): void => {
    const first = mkdirSync(absolute(path), { recursive: true, mode: PRIVATE_FOLDER });
    if (first === undefined) return;
    const firstMade = relative(root, first).split(sep).join("/");
    for (let at = path; at.length >= firstMade.length && at !== ""; at = folderOf(at)) {
      folders.created(at);
    }
  };

  /** Runs `operation`; if the folder of `path` is missing, creates it and retries. */
  const inFolder = <T>(path: string, operation: () => T): T =>
    asDiskError(path, () => {
      try {
        return operation();
      } catch (error) {
        if (errorCode(error) !== "ENOENT") throw error;
        makeFolder(folderOf(path));
        return operation();
      }
    });

  const openForWriting = (path: string, how: "append" | "replace"): OpenFile => {
    if (!existsSync(absolute(path))) unsyncedNames.add(path);
    return inFolder(path, () => files.open(path, how));
  };

  const syncFile = async (path: string): Promise<void> => {
    const known = files.get(path);
    if (known === undefined && !existsSync(absolute(path))) throw missing(path);
    const file = known ?? asDiskError(path, () => files.open(path, "append"));
    if (!unsyncedNames.has(path)) return file.sync();
    await Promise.all([file.sync(), folders.sync(folderOf(path))]);
    unsyncedNames.delete(path);
  };

  return {
    list: (path) => {
      try {
        return readdirSync(absolute(path)).toSorted();
      } catch (error) {
        if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return [];
        return asDiskError(path, () => {
          throw error;
        });
      }
    },
    exists: (path) => existsSync(absolute(path)),
    sizeBytes: (path) => asDiskError(path, () => statSync(absolute(path)).size),
    read: (path, range) => asDiskError(path, () => readShared(path, absolute(path), range)),
    write(path, bytes) {
      const { descriptor } = openForWriting(path, "replace");
      asDiskError(path, () => writeAll(descriptor, bytes));
    },
    append(path, bytes) {
      const { descriptor } = files.get(path) ?? openForWriting(path, "append");
      asDiskError(path, () => writeAll(descriptor, bytes));
    },
    truncate: (path, sizeBytes) => asDiskError(path, () => truncateFile(absolute(path), sizeBytes)),
    rename(from, to) {
      files.forget(from);
      files.forget(to);
      if (!existsSync(absolute(from))) throw missing(from);
      inFolder(to, () => renameSync(absolute(from), absolute(to)));
      for (const path of unsyncedNames) {
        if (!isInside(path, from)) continue;
        unsyncedNames.delete(path);
        unsyncedNames.add(`${to}${path.slice(from.length)}`);
      }
    },
    remove(path) {
      files.forget(path);
      for (const file of unsyncedNames) if (isInside(file, path)) unsyncedNames.delete(file);
      asDiskError(path, () => rmSync(absolute(path), { recursive: true, force: true }));
    },
    sync: async (paths) => void (await Promise.all(paths.map(syncFile))),
    syncFolder: (path) => folders.sync(path),
    usage: () =>
      asDiskError("", () => {
        const { bsize, blocks, bfree, bavail } = statfsSync(root);
        return {
          totalBytes: bsize * blocks,
          freeBytes: bsize * bfree,
          availableBytes: bsize * bavail,
        };
      }),
  };
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW;

function truncateFile(file: string, sizeBytes: number): void {
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    ftruncateSync(descriptor, sizeBytes);
  } finally {
    closeSync(descriptor);
  }
}

function readShared(
  path: string,
  file: string,
  range: { readonly offset: number; readonly length: number } | undefined,
): Uint8Array {
  const descriptor = openSync(file, READ);
  try {
    const size = fstatSync(descriptor).size;
    const { offset, length } = range ?? { offset: 0, length: size };
    if (offset + length > size) throw pastEnd(path, offset + length, size);
    const bytes = new Uint8Array(new SharedArrayBuffer(length));
    let at = 0;
    while (at < length) {
      const count = readSync(descriptor, bytes, at, length - at, offset + at);
      if (count === 0) throw pastEnd(path, offset + length, offset + at);
      at += count;
    }
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  let at = 0;
  while (at < bytes.length) at += writeSync(descriptor, bytes, at, bytes.length - at);
}

function missing(path: string): DiskError {
  return new DiskError("missing", path, `no such file: [${path}]`);
}

function pastEnd(path: string, wanted: number, size: number): DiskError {
  return new DiskError("io", path, `read past the end of [${path}]: ${wanted} of ${size} bytes`);
}
