/**
 * The simulated disk of one node. What was not synced is lost, torn or kept when the node crashes, as drawn.
 *
 * Contents: a crash keeps the synced part of a file and a drawn part of what was appended since; a file rewritten since keeps
 * either version, or a torn new one. Names: creations, renames and removals become durable in the order they were made, as a
 * journal has them; a crash keeps a drawn prefix of those that are not durable yet, so that a rename is never half done.
 */
import { DiskError, type Disk, type TraceEvent } from "@orrery/ports";
import type { Random } from "@orrery/stdx";

interface File {
  bytes: Uint8Array;
  length: number;
  /** So many of the bytes are durable. */
  syncedLength: number;
  /** Durable contents that were rewritten or cut since: a crash may bring them back. */
  replaced: Uint8Array | undefined;
  /** Changes with every rewrite: a sync that was asked for before says nothing about what came after. */
  generation: number;
  syncsUnderWay: number;
}

type NameChange =
  | { readonly kind: "create"; readonly path: string; readonly file: File }
  | { readonly kind: "rename"; readonly path: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string };

export interface DiskModel {
  /** The Disk port of one incarnation: what it was asked for and has not done when `alive` says no is never done. */
  disk(alive: () => boolean): Disk;
  /** The machine lost power: only what the contract promises is sure to be there. */
  crash(): void;
  /** Writes fail with `full` from here on, or no more. */
  setFull(isFull: boolean): void;
}

export interface DiskModelOptions {
  readonly random: Random;
  /** Ends when the disk has done its work. */
  readonly later: (action: () => void) => void;
  readonly record: (event: TraceEvent) => void;
}

const TOTAL_BYTES = 1 << 30;

export function createDiskModel({ random, later, record }: DiskModelOptions): DiskModel {
  let names = new Map<string, File>();
  let durableNames = new Map<string, File>();
  /** Not durable yet, oldest first. */
  let changes: NameChange[] = [];
  let isFull = false;

  /** Makes durable what was changed up to and including `last`. */
  const settleNames = (last: NameChange | undefined): void => {
    const end = last === undefined ? 0 : changes.indexOf(last) + 1;
    for (const one of changes.slice(0, end)) applyChange(durableNames, one);
    changes = changes.slice(end);
  };

  const fileAt = (path: string): File => {
    const file = names.get(path);
    if (file === undefined) throw new DiskError("missing", path, `no such file [${path}]`);
    return file;
  };

  const writable = (path: string): void => {
    if (isFull) throw new DiskError("full", path, `no space left on device, writing [${path}]`);
  };

  const change = (next: NameChange): void => {
    applyChange(names, next);
    changes.push(next);
  };

  const create = (path: string): File => {
    const file: File = {
      bytes: new Uint8Array(64),
      length: 0,
      syncedLength: 0,
      replaced: undefined,
      generation: 0,
      syncsUnderWay: 0,
    };
    change({ kind: "create", path, file });
    return file;
  };

  const under = (folder: string): string[] =>
    [...names.keys()].filter((path) => path.startsWith(`${folder}/`));

  const moveAll = (from: string, to: string): void => {
    const inside = names.has(from) ? [from] : under(from);
    if (inside.length === 0) fileAt(from);
    for (const path of inside) change({ kind: "rename", path, to: to + path.slice(from.length) });
  };

  const disk = (alive: () => boolean): Disk => ({
    list: (folder) => {
      const prefix = folder === "" ? "" : `${folder}/`;
      const inside = [...names.keys()].filter((path) => path.startsWith(prefix));
      return [
        ...new Set(inside.map((path) => path.slice(prefix.length).split("/", 1)[0] ?? "")),
      ].toSorted();
    },
    exists: (path) => names.has(path) || under(path).length > 0,
    sizeBytes: (path) => fileAt(path).length,
    read: (path, range) => {
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
    write: (path, bytes) => {
      if (!alive()) return;
      writable(path);
      const file = names.get(path) ?? create(path);
      supersede(file);
      file.bytes = bytes.slice();
      file.length = bytes.length;
    },
    append: (path, bytes) => {
      if (!alive()) return;
      writable(path);
      const file = names.get(path) ?? create(path);
      if (file.length + bytes.length > file.bytes.length) {
        const larger = new Uint8Array(Math.max(file.bytes.length * 2, file.length + bytes.length));
        larger.set(file.bytes.subarray(0, file.length));
        file.bytes = larger;
      }
      file.bytes.set(bytes, file.length);
      file.length += bytes.length;
    },
    truncate: (path, sizeBytes) => {
      if (!alive()) return;
      const file = fileAt(path);
      supersede(file);
      file.length = Math.min(file.length, sizeBytes);
    },
    rename: (from, to) => {
      if (alive()) moveAll(from, to);
    },
    remove: (path) => {
      if (!alive()) return;
      for (const one of names.has(path) ? [path] : under(path))
        change({ kind: "remove", path: one });
    },
    sync: async (paths) => {
      const asked = paths.map((path) => {
        const file = fileAt(path);
        return { path, file, length: file.length, generation: file.generation };
      });
      for (const { file } of asked) file.syncsUnderWay += 1;
      return new Promise((resolve, reject) => {
        later(() => {
          for (const { file } of asked) file.syncsUnderWay -= 1;
          if (!alive()) return;
          if (isFull) {
            reject(new DiskError("full", paths[0] ?? "", "no space left on device"));
            return;
          }
          for (const { path, file, length, generation } of asked) {
            if (file.generation === generation) {
              file.syncedLength = Math.max(file.syncedLength, length);
              file.replaced = undefined;
            }
            // A synced new file is found again: its name goes with it.
            settleNames(changes.find((one) => one.kind === "create" && one.file === file));
            record({ kind: "disk-synced", path });
          }
          resolve();
        });
      });
    },
    syncFolder: (folder) => {
      const isIn = (path: string): boolean => path.startsWith(folder === "" ? "" : `${folder}/`);
      const last = changes.findLast(
        (one) => isIn(one.path) || (one.kind === "rename" && isIn(one.to)),
      );
      return new Promise((resolve) => {
        later(() => {
          if (!alive()) return;
          settleNames(last);
          resolve();
        });
      });
    },
    usage: () => {
      const used = [...names.values()].reduce((sum, { length }) => sum + length, 0);
      const freeBytes = isFull ? 0 : TOTAL_BYTES - used;
      return { totalBytes: TOTAL_BYTES, freeBytes, availableBytes: freeBytes };
    },
  });

  const crash = (): void => {
    settleNames(changes[random.int(0, changes.length) - 1]);
    changes = [];
    const tear = tearer(random);
    durableNames = new Map([...durableNames].map(([path, file]) => [path, tear(file)]));
    names = new Map(durableNames);
  };

  return {
    disk,
    crash,
    setFull: (full) => {
      isFull = full;
    },
  };
}

function applyChange(names: Map<string, File>, change: NameChange): void {
  if (change.kind === "create") names.set(change.path, change.file);
  else if (change.kind === "remove") names.delete(change.path);
  else {
    const file = names.get(change.path);
    names.delete(change.path);
    if (file) names.set(change.to, file);
  }
}

/** The contents are about to be changed otherwise than by appending. */
function supersede(file: File): void {
  file.generation += 1;
  // A sync under way gets to the disk before this rewrite does.
  if (file.syncsUnderWay > 0) {
    file.syncedLength = file.length;
    file.replaced = undefined;
  }
  if (file.syncedLength === 0) return;
  file.replaced ??= file.bytes.slice(0, file.syncedLength);
  file.syncedLength = 0;
}

function tearer(random: Random): (file: File) => File {
  const whole = (bytes: Uint8Array): File => ({
    bytes,
    length: bytes.length,
    syncedLength: bytes.length,
    replaced: undefined,
    generation: 0,
    syncsUnderWay: 0,
  });
  return ({ bytes, length, syncedLength, replaced }) => {
    const torn = bytes.slice(0, random.int(syncedLength, length));
    // The size of a file may reach the disk before what was written: zeros are where it would be.
    if (random.int(0, 3) === 0) torn.fill(0, random.int(syncedLength, torn.length));
    if (replaced === undefined) return whole(torn);
    return whole(random.pick([replaced, bytes.slice(0, length), torn]));
  };
}
