/**
 * Power loss for a real disk: bytes and names that were written but not synced are lost, torn or
 * kept.
 *
 * A killed process loses no write, because the operating system keeps it. So every write is
 * recorded until it is synced, and at a power loss the recorded writes are undone on the disk
 * below. Removals and truncations count as durable at once.
 */
import { DiskError, type Disk } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import type { FaultState } from "./fault-state.ts";

export interface PowerLossOptions {
  readonly self: string;
  readonly state: FaultState;
  readonly random: Random;
}

/**
 * Fate of unsynced writes. `drawn`: each is kept or lost by chance; `lost`: all are lost; `kept`:
 * all are kept, as when a process is killed.
 */
export type Unsynced = "drawn" | "lost" | "kept";

/** Disk that can lose power. */
export interface PowerLossDisk {
  readonly disk: Disk;
  /**
   * Cuts the power: unsynced writes get their fate, and no later operation on this disk has an
   * effect or completes.
   */
  cutPower(unsynced: Unsynced): void;
}

/** State of a file with writes that are not durable. */
interface UnsyncedFile {
  /** Length of the prefix that is durable. */
  syncedBytes: number;
  /** Contents before the file was rewritten; `undefined` if it was new or was only appended to. */
  before: Uint8Array | undefined;
  /** True if the file's directory entry is durable. */
  isNamed: boolean;
  /** Incremented by each rewrite: a sync requested before a rewrite does not cover it. */
  generation: number;
}

interface Renamed {
  readonly from: string;
  readonly to: string;
  /** Contents of the file that the rename replaced; `undefined` if there was none. */
  readonly before: Uint8Array | undefined;
}

export function withPowerLoss(disk: Disk, options: PowerLossOptions): PowerLossDisk {
  const changes = createUnsyncedChanges(disk);
  let isOff = false;
  const whilePowered = <T>(act: () => T, otherwise: T): T => (isOff ? otherwise : act());
  const never = <T>(): Promise<T> => new Promise(() => undefined);
  /**
   * With an active `lost-name` rule a sync that would make a name durable never completes, because
   * the power is cut first.
   */
  const isHeld = (hasUnsynced: boolean): boolean => {
    const [rule] = hasUnsynced ? options.state.at("lost-name", options.self) : [];
    if (rule !== undefined) options.state.tookEffect(rule.id);
    return rule !== undefined;
  };

  return {
    cutPower: (unsynced) => {
      if (isOff) return;
      isOff = true;
      if (unsynced !== "kept") loseUnsynced(disk, changes, unsynced, options);
    },
    disk: {
      list: (folder) => disk.list(folder),
      exists: (path) => disk.exists(path),
      sizeBytes: (path) => disk.sizeBytes(path),
      read: (path, range) => disk.read(path, range),
      write: (path, bytes) =>
        whilePowered(() => {
          changes.rewritten(path);
          disk.write(path, bytes);
        }, undefined),
      append: (path, bytes) =>
        whilePowered(() => {
          changes.grown(path);
          disk.append(path, bytes);
        }, undefined),
      truncate: (path, sizeBytes) =>
        whilePowered(() => {
          disk.truncate(path, sizeBytes);
          changes.cut(path, sizeBytes);
        }, undefined),
      rename: (from, to) =>
        whilePowered(() => {
          const before = contents(disk, to);
          disk.rename(from, to);
          changes.renamed({ from, to, before });
        }, undefined),
      remove: (path) =>
        whilePowered(() => {
          disk.remove(path);
          changes.removed(path);
        }, undefined),
      sync: async (paths) => {
        if (isOff || isHeld(paths.some(changes.isUnnamed))) return never();
        const durable = changes.asked(paths);
        await disk.sync(paths);
        if (isOff) return never();
        return durable();
      },
      syncFolder: async (folder) => {
        if (isOff || isHeld(changes.hasUnnamed(folder))) return never();
        const durable = changes.askedFolder(folder);
        await disk.syncFolder(folder);
        if (isOff) return never();
        return durable();
      },
      usage: () => disk.usage(),
    },
  };
}

interface UnsyncedChanges {
  readonly files: ReadonlyMap<string, UnsyncedFile>;
  /** Renames that are not durable, oldest first. */
  readonly renames: readonly Renamed[];
  rewritten(path: string): void;
  grown(path: string): void;
  cut(path: string, sizeBytes: number): void;
  renamed(one: Renamed): void;
  removed(path: string): void;
  /** True for a new file whose directory entry is not durable. */
  isUnnamed(path: string): boolean;
  hasUnnamed(folder: string): boolean;
  /**
   * Returns the function that marks as durable the bytes and names written before this call; run it
   * when the sync has completed.
   */
  asked(paths: readonly string[]): () => void;
  askedFolder(folder: string): () => void;
}

function createUnsyncedChanges(disk: Disk): UnsyncedChanges {
  const files = new Map<string, UnsyncedFile>();
  let renames: readonly Renamed[] = [];

  const note = (path: string): UnsyncedFile => {
    const known = files.get(path);
    if (known !== undefined) return known;
    const isThere = disk.exists(path);
    const syncedBytes = isThere ? disk.sizeBytes(path) : 0;
    const file = { syncedBytes, before: undefined, isNamed: isThere, generation: 0 };
    files.set(path, file);
    return file;
  };

  return {
    files,
    get renames() {
      return renames;
    },
    rewritten: (path) => {
      const isKnown = files.has(path);
      const file = note(path);
      if (!isKnown && file.isNamed) file.before = contents(disk, path);
      file.syncedBytes = 0;
      file.generation += 1;
    },
    grown: (path) => void note(path),
    cut: (path, sizeBytes) => {
      const file = files.get(path);
      if (file !== undefined) file.syncedBytes = Math.min(file.syncedBytes, sizeBytes);
    },
    renamed: (one) => {
      renames = [...renames, one];
      for (const [path, file] of [...files]) {
        if (!isInside(path, one.from)) continue;
        files.delete(path);
        files.set(one.to + path.slice(one.from.length), file);
      }
    },
    removed: (path) => {
      for (const file of [...files.keys()]) if (isInside(file, path)) files.delete(file);
      renames = renames.filter(({ to }) => !isInside(to, path));
    },
    isUnnamed: (path) => files.get(path)?.isNamed === false,
    hasUnnamed: (folder) =>
      renames.some(({ to }) => isInside(to, folder)) ||
      [...files].some(([path, { isNamed }]) => !isNamed && isInside(path, folder)),
    asked: (paths) => {
      const asked = paths.flatMap((path) => {
        const file = files.get(path);
        return file === undefined
          ? []
          : [{ file, generation: file.generation, bytes: disk.sizeBytes(path) }];
      });
      return () => {
        for (const { file, generation, bytes } of asked) {
          file.isNamed = true;
          if (file.generation !== generation) continue;
          file.syncedBytes = Math.max(file.syncedBytes, bytes);
          file.before = undefined;
        }
        for (const [path, file] of [...files])
          if (file.isNamed && isWhole(disk, path, file)) files.delete(path);
      };
    },
    askedFolder: (folder) => {
      const settled = new Set(renames.filter(({ to }) => isInside(to, folder)));
      const made = [...files].filter(([path]) => isInside(path, folder));
      return () => {
        renames = renames.filter((one) => !settled.has(one));
        for (const [, file] of made) file.isNamed = true;
      };
    },
  };
}

function isWhole(disk: Disk, path: string, { syncedBytes, before }: UnsyncedFile): boolean {
  return before === undefined && (!disk.exists(path) || disk.sizeBytes(path) <= syncedBytes);
}

function loseUnsynced(
  disk: Disk,
  { files, renames }: UnsyncedChanges,
  unsynced: Exclude<Unsynced, "kept">,
  { self, state, random }: PowerLossOptions,
): void {
  const torn = state.at("torn-write", self);
  const [lostName] = state.at("lost-name", self);
  for (const [path, file] of files) {
    if (!disk.exists(path)) continue;
    if (lostName !== undefined && !file.isNamed && file.before === undefined) {
      disk.remove(path);
      state.tookEffect(lostName.id);
      continue;
    }
    const tear = torn.find((rule) => path.includes(rule.path));
    if (tear !== undefined && disk.sizeBytes(path) > file.syncedBytes) state.tookEffect(tear.id);
    loseUnsyncedFile(disk, path, file, tear === undefined ? unsynced : "torn", random);
  }
  const undone = lostName !== undefined || unsynced === "lost" ? 0 : random.int(0, renames.length);
  // A file system's journal commits renames in order, so the newest are lost first.
  for (const { from, to, before } of renames.slice(undone).toReversed()) {
    if (!disk.exists(to)) continue;
    disk.rename(to, from);
    if (before !== undefined) disk.write(to, before);
    if (lostName !== undefined) state.tookEffect(lostName.id);
  }
}

function loseUnsyncedFile(
  disk: Disk,
  path: string,
  { syncedBytes, before, isNamed }: UnsyncedFile,
  how: "drawn" | "lost" | "torn",
  random: Random,
): void {
  const size = disk.sizeBytes(path);
  const isLost = how === "lost" || (how === "drawn" && random.int(0, 2) === 0);
  if (isLost && before !== undefined) disk.write(path, before);
  else if (isLost && !isNamed) disk.remove(path);
  else if (size > syncedBytes) {
    const kept = isLost ? syncedBytes : random.int(syncedBytes, how === "torn" ? size - 1 : size);
    if (kept < size) disk.truncate(path, kept);
  }
}

/** Contents of a file; `undefined` for a folder or a missing file. */
function contents(disk: Disk, path: string): Uint8Array | undefined {
  try {
    return disk.exists(path) ? disk.read(path).slice() : undefined;
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}

function isInside(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}
