/**
 * Open files for appending and syncing, so that neither pays for an `open` each time.
 *
 * A file that is renamed, replaced or removed is forgotten here at once; a sync of it that still runs or waits ends
 * on the file it was asked for.
 */
import { closeSync, constants, fdatasync, openSync } from "node:fs";
import { diskError } from "./disk-error.ts";
import { createGroupCommit, type GroupCommit } from "./group-commit.ts";
import { isInside } from "./path.ts";
import { PRIVATE_FILE } from "./private-files.ts";

export interface OpenFile {
  readonly descriptor: number;
  /** Makes the contents durable; callers at the same time share one system call. */
  readonly sync: GroupCommit;
}

export interface OpenFiles {
  get(path: string): OpenFile | undefined;
  open(path: string, how: "append" | "replace"): OpenFile;
  /** Forgets a file, or all files inside a folder. */
  forget(path: string): void;
}

const maxIdle = 64;
/** A file that is a symbolic link is none of the node's. */
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
const flags = { append: APPEND, replace: APPEND | constants.O_TRUNC };

export function createOpenFiles(absolute: (path: string) => string): OpenFiles {
  /** From least to most recently used. */
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

/** In the thread pool, so the event loop goes on. */
function syncDescriptor(descriptor: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(descriptor, (error) => {
      if (error) reject(diskError(path, error));
      else resolve();
    });
  });
}
