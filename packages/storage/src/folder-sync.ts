/** Durability of names: a file's name is part of its folder, and a new folder's name of the folder above it. */
import { close, fsync, open } from "node:fs";
import { promisify } from "node:util";
import { diskError } from "./disk-error.ts";
import { canSyncFolders } from "./folder-durability.ts";
import { createGroupCommit, type GroupCommit } from "./group-commit.ts";
import { folderOf } from "./path.ts";

/** Syncs of the folders of one disk. */
export interface FolderSync {
  /** Records that this folder was created. */
  created(folder: string): void;
  /** Makes the names inside a folder durable, and a new folder's own name. */
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
  return { created: (folder) => void unsynced.add(folder), sync };
}

async function syncOne(folder: string, path: string): Promise<void> {
  if (!canSyncFolders) return;
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
