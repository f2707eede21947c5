/**
 * A cache of open files for appends and syncs, which would otherwise open the file each time.
 *
 * A renamed, replaced or removed file leaves the cache at once; a sync of it that runs or waits still ends on the
 * file for which it was requested.
 */
import { closeSync, constants, fdatasync, openSync } from "node:fs";
import { diskError } from "./disk-error.ts";
import { createGroupCommit, type GroupCommit } from "./group-commit.ts";
import { isInside } from "./path.ts";
import { PRIVATE_FILE } from "./private-files.ts";

/** An open file of the cache. */
export interface OpenFile {
  readonly descriptor: number;
  /** Makes the contents durable; concurrent calls share a system call. */
  readonly sync: GroupCommit;
}

/** The cache of one disk. */
export interface OpenFiles {
  /** The open file; `undefined` when it is not in the cache. */
  get(path: string): OpenFile | undefined;
  /** Opens a file, which is created if it is missing, and truncated by `replace`. */
  open(path: string, how: "append" | "replace"): OpenFile;
  /** Removes a file, or all files inside a folder, from the cache. */
  forget(path: string): void;
}

const maxIdle = 64;
/** Symbolic links in a data folder are not followed: the node creates none. */
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
const flags = { append: APPEND, replace: APPEND | constants.O_TRUNC };

export function createOpenFiles(absolute: (path: string) => string): OpenFiles {
  /** By path, from least to most recently used. */
  const files = new Map<string, OpenFile>();
  const forgotten = new Set<OpenFile>();

  const forgetFile = (path: string, file: OpenFile): void => {
    files.delete(path);
    if (file.sync.isIdle) closeSync(file.descriptor);
    else forgotten.add(file);
  };

  const makeRoom = (): void => {
    for (const [path, file] of files) {
      if (files.size < maxIdle) return;
      if (file.sync.isIdle) forgetFile(path, file);
    }
  };

  return {
    get(path) {
      const file = files.get(path);
      if (file === undefined) return undefined;
      files.delete(path);
      files.set(path, file);
      return file;
    },
    open(path, how) {
      const before = files.get(path);
      if (before !== undefined) forgetFile(path, before);
      makeRoom();
      // oxlint-disable-next-line orrery/client-keys -- a closed set of names, none of a client's
      const descriptor = openSync(absolute(path), flags[how], PRIVATE_FILE);
      const file: OpenFile = {
        descriptor,
        sync: createGroupCommit(
          () => syncDescriptor(descriptor, path),
          () => {
            if (forgotten.delete(file)) closeSync(descriptor);
          },
        ),
      };
      files.set(path, file);
      return file;
    },
    forget(path) {
      for (const [name, file] of [...files]) if (isInside(name, path)) forgetFile(name, file);
    },
  };
}

/** Runs in the thread pool, without blocking the event loop. */
function syncDescriptor(descriptor: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(descriptor, (error) => {
      if (error) reject(diskError(path, error));
      else resolve();
    });
  });
}
