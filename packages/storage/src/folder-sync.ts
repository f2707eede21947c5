/**
 * Durable names: a file's name lives in its folder, and a new folder's name in the folder above it.
 */
import { close, fsync, open } from "node:fs";
import { promisify } from "node:util";
import { diskError } from "./disk-error.ts";
import { createGroupCommit, type GroupCommit } from "./group-commit.ts";
import { folderOf } from "./path.ts";

export interface FolderSync {
  /** Remembers that this folder was just made. */
  made(folder: string): void;
  /** Makes the names inside a folder durable, and the folder's own when it is new. */
  sync(folder: string): Promise<void>;
}

const openFolder = promisify(open);
const syncFolder = promisify(fsync);
const closeFolder = promisify(close);

export function createFolderSync(absolute: (path: string) => string): FolderSync {
  const unsynced = new Set<string>();
  const groups = new Map<string, GroupCommit>();

  const groupOf = (folder: string): GroupCommit => {
    const existing = groups.get(folder);
    if (existing !== undefined) return existing;
    const group = createGroupCommit(
      () => syncOne(folder, absolute(folder)),
      () => groups.delete(folder),
    );
    groups.set(folder, group);
    return group;
  };

  const sync = async (folder: string): Promise<void> => {
    const isNew = unsynced.has(folder);
    await groupOf(folder)();
    if (!isNew || folder === "") return;
    await sync(folderOf(folder));
    unsynced.delete(folder);
  };
  return { made: (folder) => void unsynced.add(folder), sync };
}

async function syncOne(folder: string, path: string): Promise<void> {
  try {
    const descriptor = await openFolder(path, "r");
    try {
      await syncFolder(descriptor);
    } finally {
      await closeFolder(descriptor);
    }
  } catch (error) {
    throw diskError(folder, error);
  }
}
