/**
 * Simulated disk of one node. Unsynced writes are lost, torn or kept by chance when the node crashes.
 *
 * A crash keeps the synced prefix of a file and a drawn part of the appended bytes, some of them as zeros; a rewritten
 * file keeps its old or its new contents, or a torn new version. Names of files: disk-names.ts.
 */
import { DiskError, type Disk, type DiskRule, type TraceEvent } from "@orrery/ports";
import { sharedBytes, type Random } from "@orrery/stdx";
import {
  appendTo,
  beginSync,
  completeSync,
  cutTo,
  endSync,
  loseSync,
  replaceContents,
  type File,
  type FileSync,
} from "./disk-file.ts";
import { createDiskRules, noRoom, type AppliedDiskRule, type DiskRules } from "./disk-rules.ts";
import { createDiskNames, type DiskNames } from "./disk-names.ts";

export interface DiskModel {
  /** Disk port of one incarnation: an operation that has not taken effect when `alive` returns false never does. */
  disk(alive: () => boolean): Disk;
  /**
   * Power loss: the durable state survives, and of the rest what is drawn. `lost`: nothing that is not durable
   * survives.
   */
  crash(unsynced?: "drawn" | "lost"): void;
  /** Removes all files. */
  wipe(): void;
  /** Number of files and sum of their sizes. */
  usage(): { readonly files: number; readonly bytes: number };
  /** Applies the rule until its `end` is called; bit rot and misdirected writes act immediately. */
  applyRule(rule: DiskRule): AppliedDiskRule;
}

export interface DiskModelOptions {
  readonly random: Random;
  /** Runs the action when the disk has completed it: `moreMs` is added to the drawn duration of a sync. */
  readonly later: (action: () => void, moreMs: number) => void;
  readonly record: (event: TraceEvent) => void;
}

const TOTAL_BYTES = 1 << 30;

export function createDiskModel({ random, later, record }: DiskModelOptions): DiskModel {
  const names = createDiskNames();
  const rules = createDiskRules(random);

  const writable = (path: string): File => {
    rules.checkWritable(path);
    return names.get(path) ?? names.create(path);
  };

  /** Writes bytes; on a full disk it writes a part of them and throws `DiskError`. */
  const put = (path: string, bytes: Uint8Array, into: typeof appendTo): void => {
    const file = writable(path);
    if (!rules.isFull()) {
      into(file, bytes);
      return;
    }
    into(file, bytes.subarray(0, random.int(0, Math.max(0, bytes.length - 1))));
    throw noRoom(path);
  };

  /** Error of the syncs whose pages a rule loses; their pages count as clean, so the next sync of them succeeds. */
  const losePages = (syncs: readonly (FileSync & { readonly path: string })[]) => {
    const lost = syncs.filter(({ path }) => rules.losesPages(path));
    for (const one of lost) loseSync(one);
    const [first] = lost;
    return first && new DiskError("io", first.path, `Input/output error, syncing [${first.path}]`);
  };

  const sync = (paths: readonly string[], alive: () => boolean): Promise<void> => {
    const asked = paths.map((path) => ({ path, file: fileAt(names, path) }));
    const isNew = asked.some(({ file }) => names.creationOf(file) !== undefined);
    if (isNew && rules.holdsNames()) return never();
    const syncs = asked.map(({ path, file }) => ({ path, ...beginSync(file) }));
    return new Promise((resolve, reject) => {
      later(() => {
        for (const one of syncs) endSync(one);
        if (!alive()) return;
        const failure = losePages(syncs) ?? rules.syncFailure(paths);
        if (failure !== undefined) {
          record({ kind: "disk-failed", path: failure.path, reason: failure.message });
          reject(failure);
          return;
        }
        for (const one of syncs) {
          if (!rules.lies(one.path)) completeSync(one);
          // The sync of a new file also makes its directory entry durable.
          names.settle(names.creationOf(one.file));
          record({ kind: "disk-synced", path: one.path });
        }
        resolve();
      }, rules.delayMs());
    });
  };

  const writing = (alive: () => boolean): Pick<Disk, WritingOperation> => ({
    write: (path, bytes) => {
      if (alive()) put(path, bytes, replaceContents);
    },
    append: (path, bytes) => {
      if (alive()) put(path, bytes, appendTo);
    },
    truncate: (path, sizeBytes) => {
      if (!alive()) return;
      rules.checkWritable(path);
      cutTo(fileAt(names, path), sizeBytes);
    },
    rename: (from, to) => {
      if (!alive()) return;
      rules.checkWritable(from);
      const inside = filesOf(names, from);
      if (inside.length === 0) fileAt(names, from);
      for (const path of inside) names.rename(path, to + path.slice(from.length));
    },
    remove: (path) => {
      if (!alive()) return;
      const inside = filesOf(names, path);
      if (inside.length > 0) rules.checkWritable(path);
      for (const one of inside) names.remove(one);
    },
    sync: async (paths) => sync(paths, alive),
    syncFolder: (folder) => {
      const newest = names.newestIn(folder);
      if (newest !== undefined && rules.holdsNames()) return never();
      return new Promise((resolve) => {
        later(() => {
          if (!alive()) return;
          names.settle(newest);
          resolve();
        }, rules.delayMs());
      });
    },
  });

  return {
    disk: (alive) => ({ ...readingOf(names, rules), ...writing(alive) }),
    crash: (unsynced = "drawn") => names.crash(random, unsynced, rules),
    wipe: () => names.wipe(),
    usage: () => ({
      files: names.inFolder("").size,
      bytes: [...names.files].reduce((sum, { length }) => sum + length, 0),
    }),
    applyRule: (rule) => {
      if (rule.kind !== "bit-rot" && rule.kind !== "misdirected-write") return rules.add(rule);
      const hits =
        rule.kind === "bit-rot" ? rot(names, random, rule) : misdirect(names, random, rule);
      return { hits: () => hits, end: () => undefined };
    },
  };
}

function fileAt(names: DiskNames, path: string): File {
  const file = names.get(path);
  if (file === undefined) throw new DiskError("missing", path, `no such file [${path}]`);
  return file;
}

/** The file of this name, or all files in the folder of this name. */
function filesOf(names: DiskNames, path: string): readonly string[] {
  return names.get(path) === undefined ? [...names.inFolder(path)] : [path];
}

function readingOf(names: DiskNames, rules: DiskRules): Omit<Disk, WritingOperation> {
  return {
    list: (folder) => names.list(folder),
    exists: (path) => names.get(path) !== undefined || names.inFolder(path).size > 0,
    sizeBytes: (path) => fileAt(names, path).length,
    read: (path, range) => {
      rules.checkRead(path);
      const file = fileAt(names, path);
      const { offset, length } = range ?? { offset: 0, length: file.length };
      if (offset + length > file.length) {
        const what = `[${path}] has ${file.length} bytes, not the ${length} from ${offset} on`;
        throw new DiskError("io", path, what);
      }
      const copy = sharedBytes(length);
      copy.set(file.bytes.subarray(offset, offset + length));
      return copy;
    },
    usage: () => {
      const used = [...names.files].reduce((sum, { length }) => sum + length, 0);
      const freeBytes = rules.isFull() ? 0 : TOTAL_BYTES - used;
      return { totalBytes: TOTAL_BYTES, freeBytes, availableBytes: freeBytes };
    },
  };
}

/** Flips bits of non-empty files; returns the number of flipped bits. */
function rot(
  names: DiskNames,
  random: Random,
  { path, bits }: Extract<DiskRule, { readonly kind: "bit-rot" }>,
): number {
  const files = [...names.inFolder("")]
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

const BLOCK_BYTES = 512;

/**
 * Writes blocks of files over those of other files at the same offset, mostly of files of the same kind, so that the
 * misplaced block is valid at its origin; returns the number of blocks.
 */
function misdirect(
  names: DiskNames,
  random: Random,
  { path, blocks }: Extract<DiskRule, { readonly kind: "misdirected-write" }>,
): number {
  const files = [...names.inFolder("")].flatMap((name) => {
    const file = names.get(name);
    if (!name.includes(path) || file === undefined || file.length === 0) return [];
    return [{ file, type: name.slice(name.lastIndexOf(".")) }];
  });
  let written = 0;
  for (let i = 0; i < blocks && files.length > 1; i += 1) {
    const from = random.pick(files);
    const others = files.filter(({ file }) => file !== from.file);
    const alike = others.filter(({ type }) => type === from.type);
    const { file: to } = random.pick(alike.length > 0 && random.int(0, 3) > 0 ? alike : others);
    const end = Math.min(from.file.length, to.length);
    const at = BLOCK_BYTES * random.int(0, Math.floor((end - 1) / BLOCK_BYTES));
    const block = from.file.bytes.slice(at, Math.min(end, at + BLOCK_BYTES));
    to.bytes.set(block, at);
    from.file.bytes.fill(0, at, at + block.length);
    written += 1;
  }
  return written;
}

type WritingOperation =
  | "write"
  | "append"
  | "truncate"
  | "rename"
  | "remove"
  | "sync"
  | "syncFolder";

/** Result of a sync that the power loss prevents: the promise never settles. */
function never(): Promise<void> {
  return new Promise(() => undefined);
}
