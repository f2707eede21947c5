/**
 * A disk that forgets: `crash` keeps what was synced, and of the rest whatever chance leaves. Sync completes on a later
 * turn of the microtask queue.
 */
import { DiskError, type Disk } from "@orrery/ports";
import type { Random } from "@orrery/stdx";

interface Entry {
  bytes: Uint8Array;
  /** Contents that a crash leaves at least. */
  synced: Uint8Array | undefined;
}

export interface CrashDisk extends Disk {
  /** What is there after the machine went down: a new disk, as a restarted process finds it. */
  crash(random: Random): CrashDisk;
  flipBit(path: string, offset: number): void;
  /** Set: syncs do not complete before it is opened. */
  hold: Promise<void> | undefined;
  failSync: boolean;
  /** Syncs of this file succeed and do nothing, as they do after one that failed. */
  lostFile: string | undefined;
  readonly paths: readonly string[];
}

export function createCrashDisk(initial: Iterable<readonly [string, Uint8Array]> = []): CrashDisk {
  const files = new Map<string, Entry>();
  /** Names as the folders on the platter have them. */
  const durable = new Map<string, Entry>();
  for (const [path, bytes] of initial) {
    const entry = { bytes, synced: bytes };
    files.set(path, entry);
    durable.set(path, entry);
  }
  const at = (path: string): Entry => {
    const entry = files.get(path);
    if (entry === undefined) throw new DiskError("missing", path, `no such file: [${path}]`);
    return entry;
  };
  const inside = (path: string, folder: string): boolean =>
    path === folder || path.startsWith(`${folder}/`);
  const disk: CrashDisk = {
    hold: undefined,
    failSync: false,
    lostFile: undefined,
    get paths() {
      return [...files.keys()];
    },
    list(folder) {
      const names = new Set<string>();
      const prefix = folder === "" ? "" : `${folder}/`;
      for (const path of files.keys()) {
        if (path.startsWith(prefix)) names.add(path.slice(prefix.length).split("/")[0] ?? "");
      }
      return [...names].toSorted();
    },
    exists: (path) => [...files.keys()].some((file) => inside(file, path)),
    sizeBytes: (path) => at(path).bytes.length,
    read(path, range) {
      const { bytes } = at(path);
      return range === undefined
        ? bytes
        : bytes.subarray(range.offset, range.offset + range.length);
    },
    write: (path, bytes) => void files.set(path, { bytes: bytes.slice(), synced: undefined }),
    append(path, bytes) {
      const entry = files.get(path) ?? { bytes: new Uint8Array(0), synced: undefined };
      const joined = new Uint8Array(entry.bytes.length + bytes.length);
      joined.set(entry.bytes);
      joined.set(bytes, entry.bytes.length);
      entry.bytes = joined;
      files.set(path, entry);
    },
    truncate(path, sizeBytes) {
      const entry = at(path);
      entry.bytes = entry.bytes.slice(0, sizeBytes);
    },
    rename(from, to) {
      if (!disk.exists(from)) at(from);
      for (const [path, entry] of [...files]) {
        if (!inside(path, from)) continue;
        files.delete(path);
        files.set(`${to}${path.slice(from.length)}`, entry);
      }
    },
    remove(path) {
      for (const file of [...files.keys()]) if (inside(file, path)) files.delete(file);
    },
    async sync(paths) {
      const entries = paths.map((path) => ({ path, entry: at(path), bytes: at(path).bytes }));
      await disk.hold;
      await Promise.resolve();
      if (disk.failSync) throw new DiskError("io", paths[0] ?? "", "sync failed");
      for (const { path, entry, bytes } of entries) {
        if (path === disk.lostFile) continue;
        entry.synced = bytes;
        if (files.get(path) === entry) durable.set(path, entry);
      }
    },
    async syncFolder(folder) {
      await disk.hold;
      for (const path of [...durable.keys()]) {
        if (path.startsWith(`${folder}/`) && files.get(path) !== durable.get(path))
          durable.delete(path);
      }
      for (const [path, entry] of files)
        if (path.startsWith(`${folder}/`)) durable.set(path, entry);
    },
    usage: () => ({ totalBytes: 2 ** 40, freeBytes: 2 ** 39, availableBytes: 2 ** 39 }),
    crash(random) {
      // A name is as the last folder sync left it, or as it was at the crash: one or the other for each.
      const left = new Map<string, Uint8Array>();
      for (const path of new Set([...durable.keys(), ...files.keys()])) {
        const entry = random.int(0, 1) === 0 ? durable.get(path) : (files.get(path) ?? undefined);
        if (entry === undefined) continue;
        left.set(path, survivor(entry, random));
      }
      return createCrashDisk(left);
    },
    flipBit(path, offset) {
      const entry = at(path);
      const damaged = entry.bytes.slice();
      damaged[offset] = (damaged[offset] ?? 0) ^ 4;
      entry.bytes = damaged;
      entry.synced = damaged;
    },
  };
  return disk;
}

/** Synced contents, and a torn piece of what was appended since. */
function survivor({ bytes, synced }: Entry, random: Random): Uint8Array {
  const base = synced ?? new Uint8Array(0);
  if (bytes.length <= base.length) return random.int(0, 1) === 0 ? base : bytes;
  const kept = random.int(base.length, bytes.length);
  const torn = bytes.slice(0, kept);
  if (kept > base.length && random.int(0, 3) === 0) torn[kept - 1] = random.int(0, 255);
  return torn;
}
