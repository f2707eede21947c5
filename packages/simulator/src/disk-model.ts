/**
 * The simulated disk of one node. What was not synced is lost, torn or kept when the node crashes, as drawn.
 *
 * Contents: a crash keeps the synced part of a file and a drawn part of what was appended since, some of it as zeros; a file
 * rewritten since keeps either version, or a torn new one. What becomes of names: disk-names.ts.
 */
import { DiskError, type Disk, type DiskRule, type TraceEvent } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import {
  appendTo,
  beginSync,
  completeSync,
  cutTo,
  endSync,
  replaceContents,
  type File,
} from "./disk-file.ts";
import { createDiskHarms, type DiskHarm } from "./disk-harm.ts";
import { createDiskNames, prefixOf, type DiskNames } from "./disk-names.ts";

export interface DiskModel {
  /** The Disk port of one incarnation: what it was asked for and has not done when `alive` says no is never done. */
  disk(alive: () => boolean): Disk;
  /** The machine lost power: only what the contract promises is sure to be there. */
  /** `lost`: nothing that was not synced survives. */
  crash(unsynced?: "drawn" | "lost"): void;
  /** As new. */
  wipe(): void;
  /** What lies on it. */
  usage(): { readonly files: number; readonly bytes: number };
  /** Does what the rule says until it is ended; bit rot happens at once. */
  harm(rule: DiskRule): DiskHarm;
}

export interface DiskModelOptions {
  readonly random: Random;
  /** Ends when the disk has done its work. */
  readonly later: (action: () => void, moreMs: number) => void;
  readonly record: (event: TraceEvent) => void;
}

const TOTAL_BYTES = 1 << 30;

export function createDiskModel({ random, later, record }: DiskModelOptions): DiskModel {
  const names = createDiskNames();
  const harms = createDiskHarms(random);

  const fileAt = (path: string): File => {
    const file = names.get(path);
    if (file === undefined) throw new DiskError("missing", path, `no such file [${path}]`);
    return file;
  };

  const writable = (path: string): File => {
    harms.checkRoom(path);
    return names.get(path) ?? names.create(path);
  };

  /** The file of this name, or all in the folder of this name. */
  const filesOf = (path: string): readonly string[] =>
    names.get(path) === undefined ? names.startingWith(prefixOf(path)) : [path];

  const sync = (paths: readonly string[], alive: () => boolean): Promise<void> => {
    const asked = paths.map((path) => ({ path, file: fileAt(path) }));
    const isNew = asked.some(({ file }) => names.creationOf(file) !== undefined);
    if (isNew && harms.holdsNames()) return never();
    const syncs = asked.map(({ path, file }) => ({ path, ...beginSync(file) }));
    return new Promise((resolve, reject) => {
      later(() => {
        for (const one of syncs) endSync(one);
        if (!alive()) return;
        const failure = harms.syncFailure(paths);
        if (failure !== undefined) {
          record({ kind: "disk-failed", path: failure.path, reason: failure.message });
          reject(failure);
          return;
        }
        for (const one of syncs) {
          completeSync(one);
          // A synced new file is found again: its name goes with it.
          names.settle(names.creationOf(one.file));
          record({ kind: "disk-synced", path: one.path });
        }
        resolve();
      }, harms.delayMs());
    });
  };

  const writing = (alive: () => boolean): Pick<Disk, WritingOperation> => ({
    write: (path, bytes) => {
      if (alive()) replaceContents(writable(path), bytes);
    },
    append: (path, bytes) => {
      if (alive()) appendTo(writable(path), bytes);
    },
    truncate: (path, sizeBytes) => {
      if (alive()) cutTo(fileAt(path), sizeBytes);
    },
    rename: (from, to) => {
      if (!alive()) return;
      const inside = filesOf(from);
      if (inside.length === 0) fileAt(from);
      for (const path of inside) names.rename(path, to + path.slice(from.length));
    },
    remove: (path) => {
      if (!alive()) return;
      for (const one of filesOf(path)) names.remove(one);
    },
    sync: async (paths) => sync(paths, alive),
    syncFolder: (folder) => {
      const newest = names.newestIn(folder);
      if (newest !== undefined && harms.holdsNames()) return never();
      return new Promise((resolve) => {
        later(() => {
          if (!alive()) return;
          names.settle(newest);
          resolve();
        }, harms.delayMs());
      });
    },
  });

  const reading: Omit<Disk, WritingOperation> = {
    list: (folder) => {
      const prefix = prefixOf(folder);
      const inside = names.startingWith(prefix);
      const here = inside.map((path) => path.slice(prefix.length).split("/", 1)[0] ?? "");
      return [...new Set(here)].toSorted();
    },
    exists: (path) => filesOf(path).length > 0,
    sizeBytes: (path) => fileAt(path).length,
    read: (path, range) => {
      harms.checkRead(path);
      const file = fileAt(path);
      const { offset, length } = range ?? { offset: 0, length: file.length };
      if (offset + length > file.length) {
        const what = `[${path}] has ${file.length} bytes, not the ${length} from ${offset} on`;
        throw new DiskError("io", path, what);
      }
      const copy = new Uint8Array(new SharedArrayBuffer(length));
      copy.set(file.bytes.subarray(offset, offset + length));
      return copy;
    },
    usage: () => {
      const used = [...names.files].reduce((sum, { length }) => sum + length, 0);
      const freeBytes = harms.isFull() ? 0 : TOTAL_BYTES - used;
      return { totalBytes: TOTAL_BYTES, freeBytes, availableBytes: freeBytes };
    },
  };

  return {
    disk: (alive) => ({ ...reading, ...writing(alive) }),
    crash: (unsynced = "drawn") => names.crash(random, unsynced, harms),
    wipe: () => names.wipe(),
    usage: () => ({
      files: names.startingWith("").length,
      bytes: [...names.files].reduce((sum, { length }) => sum + length, 0),
    }),
    harm: (rule) => {
      if (rule.kind !== "bit-rot") return harms.add(rule);
      const hits = rot(names, random, rule);
      return { hits: () => hits, end: () => undefined };
    },
  };
}

/** Turns bits of files that hold something; answers how many. */
function rot(
  names: DiskNames,
  random: Random,
  { path, bits }: Extract<DiskRule, { readonly kind: "bit-rot" }>,
): number {
  const files = names
    .startingWith("")
    .filter((one) => one.includes(path))
    .flatMap((one) => names.get(one) ?? [])
    .filter(({ length }) => length > 0);
  if (files.length === 0) return 0;
  for (let turned = 0; turned < bits; turned += 1) {
    const { bytes, length } = random.pick(files);
    const at = random.int(0, length - 1);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(0, 7));
  }
  return bits;
}

type WritingOperation =
  | "write"
  | "append"
  | "truncate"
  | "rename"
  | "remove"
  | "sync"
  | "syncFolder";

/** What a sync comes to that the power does not outlast. */
function never(): Promise<void> {
  return new Promise(() => undefined);
}
