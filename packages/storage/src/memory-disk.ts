/** The Disk port in memory, for nodes without a data folder: a disk with limited space and without faults. */
import { sharedBytes } from "@orrery/stdx";
import { DiskError, type Disk } from "@orrery/ports";
import { checkPath, isInside } from "./path.ts";

interface MemoryFile {
  /** Has at least `size` bytes. Bytes that were read are never written again. */
  readonly buffer: Uint8Array;
  readonly size: number;
}

const defaultTotalBytes = 64 * 1024 ** 3;

export function createMemoryDisk(totalBytes: number = defaultTotalBytes): Disk {
  const files = new Map<string, MemoryFile>();

  const fileAt = (path: string): MemoryFile => {
    const file = files.get(checkPath(path));
    if (file === undefined) throw new DiskError("missing", path, `no such file: [${path}]`);
    return file;
  };

  const usedBytes = (): number => {
    let used = 0;
    for (const { size } of files.values()) used += size;
    return used;
  };

  const store = (path: string, before: MemoryFile | undefined, bytes: Uint8Array): void => {
    const at = before?.size ?? 0;
    const size = at + bytes.length;
    if (totalBytes < defaultTotalBytes && usedBytes() + bytes.length > totalBytes) {
      throw new DiskError("full", path, `no space left for [${path}]`);
    }
    let buffer = before?.buffer;
    if (buffer === undefined || size > buffer.length) {
      const room = before === undefined ? size : Math.max(size, before.buffer.length * 2, 4096);
      const larger = sharedBytes(room);
      if (before !== undefined) larger.set(before.buffer.subarray(0, at));
      buffer = larger;
    }
    buffer.set(bytes, at);
    files.set(checkPath(path), { buffer, size });
  };

  return {
    list(folder) {
      const prefix = folder === "" ? "" : `${checkPath(folder)}/`;
      const names = new Set<string>();
      for (const path of files.keys()) {
        if (path.startsWith(prefix)) names.add(path.slice(prefix.length).split("/")[0] ?? "");
      }
      return [...names].toSorted();
    },
    exists: (path) => [...files.keys()].some((file) => isInside(file, checkPath(path))),
    sizeBytes: (path) => fileAt(path).size,
    read(path, range) {
      const { buffer, size } = fileAt(path);
      const { offset, length } = range ?? { offset: 0, length: size };
      if (offset + length <= size) return buffer.subarray(offset, offset + length);
      throw new DiskError("io", path, `read past the end of [${path}]`);
    },
    write: (path, bytes) => store(path, undefined, bytes),
    append: (path, bytes) => store(path, files.get(path), bytes),
    truncate(path, sizeBytes) {
      // A copy: earlier reads may hold views of the bytes after `sizeBytes`, which later appends would overwrite.
      const kept = fileAt(path).buffer.slice(0, Math.min(sizeBytes, fileAt(path).size));
      const buffer = sharedBytes(sizeBytes);
      buffer.set(kept);
      files.set(path, { buffer, size: sizeBytes });
    },
    rename(from, to) {
      const moved = [...files].filter(([path]) => isInside(path, checkPath(from)));
      if (moved.length === 0) throw new DiskError("missing", from, `no such file: [${from}]`);
      for (const [path, file] of moved) {
        files.delete(path);
        files.set(`${checkPath(to)}${path.slice(from.length)}`, file);
      }
    },
    remove(path) {
      for (const file of [...files.keys()]) if (isInside(file, checkPath(path))) files.delete(file);
    },
    async sync(paths) {
      for (const path of paths) fileAt(path);
    },
    async syncFolder() {},
    usage() {
      const freeBytes = Math.max(0, totalBytes - usedBytes());
      return { totalBytes, freeBytes, availableBytes: freeBytes };
    },
  };
}
