/**
 * The names of the simulated disk's files. Creations, renames and removals become durable in the order they were made, as a
 * journal has them; a crash keeps a drawn prefix of those that are not durable yet, so that a rename is never half done.
 */
import type { Random } from "@orrery/stdx";
import { afterCrash, afterLoss, afterTear, hasUnsynced, newFile, type File } from "./disk-file.ts";

export interface DiskNames {
  get(path: string): File | undefined;
  readonly files: Iterable<File>;
  /** Paths that start so, in the order they were made. */
  startingWith(prefix: string): readonly string[];
  create(path: string): File;
  rename(path: string, to: string): void;
  remove(path: string): void;
  /** The newest change below a folder. */
  newestIn(folder: string): NameChange | undefined;
  creationOf(file: File): NameChange | undefined;
  /** Makes durable what was changed up to and including this. */
  settle(last: NameChange | undefined): void;
  crash(random: Random, unsynced: "drawn" | "lost", harms: CrashHarms): void;
  wipe(): void;
}

/** How a crash may be worse than it has to be. */
export interface CrashHarms {
  tears(path: string): boolean;
  losesNames(changes: number): boolean;
}

export type NameChange =
  | { readonly kind: "create"; readonly path: string; readonly file: File }
  | { readonly kind: "rename"; readonly path: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string };

export function createDiskNames(): DiskNames {
  let names = new Map<string, File>();
  let durable = new Map<string, File>();
  /** Not durable yet, oldest first. */
  let changes: readonly NameChange[] = [];

  const change = (next: NameChange): void => {
    apply(names, next);
    changes = [...changes, next];
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
      return names.values();
    },
    startingWith: (prefix) => [...names.keys()].filter((path) => path.startsWith(prefix)),
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
    crash: (random, unsynced, harms) => {
      const kept = random.int(0, changes.length);
      const isLost = harms.losesNames(changes.length) || unsynced === "lost";
      settle(changes[(isLost ? 0 : kept) - 1]);
      changes = [];
      const left = (path: string, file: File): File => {
        if (hasUnsynced(file) && harms.tears(path)) return afterTear(file, random);
        return unsynced === "lost" ? afterLoss(file) : afterCrash(file, random);
      };
      durable = new Map([...durable].map(([path, file]) => [path, left(path, file)]));
      names = new Map(durable);
    },
    wipe: () => {
      durable = new Map();
      names = new Map();
      changes = [];
    },
  };
}

/** What paths inside a folder start with; the data folder itself is empty. */
export function prefixOf(folder: string): string {
  return folder === "" ? "" : `${folder}/`;
}

function apply(names: Map<string, File>, change: NameChange): void {
  if (change.kind === "create") names.set(change.path, change.file);
  else if (change.kind === "remove") names.delete(change.path);
  else {
    const file = names.get(change.path);
    names.delete(change.path);
    if (file) names.set(change.to, file);
  }
}
