/**
 * Directory entries of the simulated disk. Creations, renames and removals become durable in the order in which they
 * were made, as in a journal; a crash keeps a drawn prefix of those that are not durable, so that a rename is atomic.
 */
import type { Random } from "@orrery/stdx";
import { afterCrash, afterLoss, afterTear, hasUnsynced, newFile, type File } from "./disk-file.ts";

export interface DiskNames {
  get(path: string): File | undefined;
  readonly files: Iterable<File>;
  /** Paths of all files below a folder, the data folder itself if empty, in the order of their creation. */
  inFolder(folder: string): ReadonlySet<string>;
  /** Names directly in a folder, files and folders, sorted. */
  list(folder: string): readonly string[];
  create(path: string): File;
  rename(path: string, to: string): void;
  remove(path: string): void;
  /** Latest change of a name below a folder that is not durable; `undefined` if there is none. */
  newestIn(folder: string): NameChange | undefined;
  creationOf(file: File): NameChange | undefined;
  /** Makes durable all changes up to and including this one. */
  settle(last: NameChange | undefined): void;
  crash(random: Random, unsynced: "drawn" | "lost", rules: CrashRules): void;
  wipe(): void;
}

/** Rules that make a crash worse: they tear files, or lose changes of names. */
export interface CrashRules {
  tears(path: string): boolean;
  losesNames(changes: number): boolean;
}

export type NameChange =
  | { readonly kind: "create"; readonly path: string; readonly file: File }
  | { readonly kind: "rename"; readonly path: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string };

/** Directory entries of an empty disk. */
export function createDiskNames(): DiskNames {
  let names = createNameTable();
  let durable = new Map<string, File>();
  /** Changes that are not durable, oldest first. */
  let changes: NameChange[] = [];

  const change = (next: NameChange): void => {
    apply(names, next);
    changes.push(next);
  };

  const settle = (last: NameChange | undefined): void => {
    const end = last === undefined ? 0 : changes.indexOf(last) + 1;
    for (const one of changes.slice(0, end)) apply(durable, one);
    changes = changes.slice(end);
  };

  return {
    settle,
    get: (path) => names.get(path),
    get files() {
      return names.files();
    },
    inFolder: (folder) => names.inFolder(folder),
    list: (folder) => names.list(folder),
    create: (path) => {
      const file = newFile();
      change({ kind: "create", path, file });
      return file;
    },
    rename: (path, to) => change({ kind: "rename", path, to }),
    remove: (path) => change({ kind: "remove", path }),
    newestIn: (folder) => {
      const prefix = prefixOf(folder);
      return changes.findLast(
        (one) =>
          one.path.startsWith(prefix) || (one.kind === "rename" && one.to.startsWith(prefix)),
      );
    },
    creationOf: (file) => changes.find((one) => one.kind === "create" && one.file === file),
    crash: (random, unsynced, rules) => {
      const kept = random.int(0, changes.length);
      const isLost = rules.losesNames(changes.length) || unsynced === "lost";
      settle(changes[(isLost ? 0 : kept) - 1]);
      changes = [];
      const left = (path: string, file: File): File => {
        if (hasUnsynced(file) && rules.tears(path)) return afterTear(file, random);
        return unsynced === "lost" ? afterLoss(file) : afterCrash(file, random);
      };
      durable = new Map([...durable].map(([path, file]) => [path, left(path, file)]));
      names = createNameTable(durable);
    },
    wipe: () => {
      durable = new Map();
      names = createNameTable();
      changes = [];
    },
  };
}

/** Prefix of the paths inside a folder; empty for the data folder. */
function prefixOf(folder: string): string {
  return folder === "" ? "" : `${folder}/`;
}

interface NameTable extends Pick<DiskNames, "get" | "inFolder" | "list"> {
  set(path: string, file: File): void;
  delete(path: string): void;
  files(): Iterable<File>;
}

interface Folder {
  readonly paths: Set<string>;
  /** Names directly in the folder, computed on demand and discarded with the next change. */
  listed?: readonly string[] | undefined;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * Names with an index by folder: a recovery lists the folders of a copy many times, and a disk holds thousands of
 * files.
 */
function createNameTable(made: Iterable<readonly [string, File]> = []): NameTable {
  const names = new Map<string, File>();
  const folders = new Map<string, Folder>();
  const set = (path: string, file: File): void => {
    names.set(path, file);
    for (const name of foldersAbove(path)) {
      const folder = folders.get(name) ?? { paths: new Set() };
      folder.paths.add(path);
      folder.listed = undefined;
      folders.set(name, folder);
    }
  };
  for (const [path, file] of made) set(path, file);
  return {
    get: (path) => names.get(path),
    files: () => names.values(),
    inFolder: (name) => folders.get(name)?.paths ?? NO_NAMES,
    list: (name) => {
      const folder = folders.get(name);
      if (folder === undefined) return [];
      folder.listed ??= childrenIn(folder.paths, prefixOf(name).length);
      return folder.listed;
    },
    set,
    delete: (path) => {
      names.delete(path);
      for (const name of foldersAbove(path)) {
        const folder = folders.get(name);
        folder?.paths.delete(path);
        if (folder !== undefined) folder.listed = undefined;
      }
    },
  };
}

function childrenIn(paths: ReadonlySet<string>, from: number): readonly string[] {
  const children = new Set<string>();
  for (const path of paths) {
    const end = path.indexOf("/", from);
    children.add(path.slice(from, end < 0 ? path.length : end));
  }
  return [...children].toSorted();
}

function foldersAbove(path: string): readonly string[] {
  const folders = [""];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    folders.push(path.slice(0, at));
  }
  return folders;
}

function apply(
  names: Pick<NameTable, "delete" | "set"> & Pick<DiskNames, "get">,
  change: NameChange,
): void {
  if (change.kind === "create") names.set(change.path, change.file);
  else if (change.kind === "remove") names.delete(change.path);
  else {
    const file = names.get(change.path);
    names.delete(change.path);
    if (file) names.set(change.to, file);
  }
}
