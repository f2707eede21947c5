/**
 * Blobs as files of one folder, which nodes may share.
 *
 * A blob is written to a file beside its place whose name starts with `pending-`, synced, and then named: by a hard
 * link where it must not exist, since linking fails atomically if the name exists; by a rename where it may. A
 * pending file that a crash leaves is listed like any blob, so that a cleanup of the repository removes it.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { link, lstat, open, readdir, rename, rm, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  BlobError,
  type BlobInfo,
  type BlobRange,
  type BlobStore,
  type RemovedBlobs,
} from "@orrery/ports";
import { asBlobError, unlessMissing } from "./blob-error.ts";
import { createContainedFolders, outside, type ContainedFolders } from "./contained-folder.ts";
import { errorCode } from "./disk-error.ts";
import { canSyncFolders } from "./folder-durability.ts";

/**
 * The blob store over the folder `root`. `within`: folders of which one must contain `root`; symbolic links that lead
 * out of them are refused.
 */
export function openBlobFolder(root: string, within: readonly string[] = [root]): BlobStore {
  const folders = createContainedFolders(within);
  /** Runs a file operation on a path of the store; names that the repository cannot have written are refused. */
  const on = async <T>(path: string, operation: (absolute: string) => Promise<T>): Promise<T> => {
    const absolute = join(root, path);
    return asBlobError(absolute, async () => {
      checkBlobPath(path, absolute);
      return operation(absolute);
    });
  };
  return {
    list: (folder) =>
      on(folder, async (absolute) => {
        if (folder === "") return folders.enter(root, listFiles);
        return unlessMissing([], () => folders.enter(absolute, listFiles));
      }),
    folders: (folder) =>
      on(folder, (absolute) => unlessMissing([], () => folders.enter(absolute, listFolders))),
    read: (path, range) =>
      on(path, (absolute) =>
        folders.enter(dirname(absolute), (folder) => readFile({ folder, absolute }, range)),
      ),
    write: (path, bytes, how) =>
      on(path, (absolute) =>
        folders.make(dirname(absolute), (folder) =>
          writeFile({ folder, absolute }, bytes, how?.replace ?? false),
        ),
      ),
    remove: async (paths) => {
      for (const path of paths) {
        await on(path, (absolute) =>
          unlessMissing(undefined, () =>
            folders.enter(dirname(absolute), (folder) => unlink(`${folder}/${basename(absolute)}`)),
          ),
        );
      }
    },
    removeFolder: (folder) => on(folder, (absolute) => removeFolder(folders, absolute)),
  };
}

/** Paths come from a repository's metadata, which anyone with access to the place may have changed. */
function checkBlobPath(path: string, absolute: string): void {
  const leaves = path.startsWith("/") || path.split("/").some((step) => step === "..");
  if (leaves || path.includes("\0"))
    throw new BlobError("io", absolute, `[${path}] is no name of a blob`);
}

/** A blob's file and the path of its opened folder. */
interface BlobFile {
  readonly folder: string;
  /** The path for messages. */
  readonly absolute: string;
}

async function listFiles(folder: string): Promise<readonly BlobInfo[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  const infos: BlobInfo[] = [];
  for (const name of names.toSorted()) {
    // A file may be removed between the listing and this look at it.
    const found = await unlessMissing(undefined, () => lstat(`${folder}/${name}`));
    if (found?.isFile() === true) infos.push({ name, sizeBytes: found.size });
  }
  return infos;
}

async function listFolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return names.toSorted();
}

/** Flags that refuse links, and do not wait for a file that never answers, such as a named pipe. */
const BLOB = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function readFile(
  { folder, absolute }: BlobFile,
  range: BlobRange | undefined,
): Promise<Uint8Array> {
  const handle = await open(`${folder}/${basename(absolute)}`, BLOB).catch((error: unknown) => {
    throw errorCode(error) === "ELOOP" ? outside(absolute) : error;
  });
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new BlobError("io", absolute, `[${absolute}] is no file`);
    const { offset, length } = range ?? { offset: 0, length: found.size };
    const bytes = new Uint8Array(length);
    let at = 0;
    while (at < length) {
      const { bytesRead } = await handle.read(bytes, at, length - at, offset + at);
      if (bytesRead === 0)
        throw new BlobError("io", absolute, `read past the end of [${absolute}]`);
      at += bytesRead;
    }
    return bytes;
  } finally {
    await handle.close();
  }
}

async function writeFile(
  { folder, absolute }: BlobFile,
  bytes: Uint8Array,
  replace: boolean,
): Promise<void> {
  const file = `${folder}/${basename(absolute)}`;
  const pending = `${folder}/pending-${randomBytes(12).toString("hex")}`;
  try {
    const handle = await open(pending, "wx");
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (replace) await rename(pending, file);
    else await link(pending, file);
  } finally {
    await rm(pending, { force: true });
  }
  await syncFolder(folder);
}

async function removeFolder(folders: ContainedFolders, absolute: string): Promise<RemovedBlobs> {
  const nothing = { blobs: 0, bytes: 0 };
  const removed = await unlessMissing(nothing, () => folders.enter(absolute, measure));
  await unlessMissing(undefined, () =>
    folders.enter(dirname(absolute), (folder) =>
      rm(`${folder}/${basename(absolute)}`, { recursive: true, force: true }),
    ),
  );
  return removed;
}

async function syncFolder(folder: string): Promise<void> {
  if (!canSyncFolders) return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function measure(folder: string): Promise<RemovedBlobs> {
  const total = { blobs: 0, bytes: 0 };
  for (const { sizeBytes } of await listFiles(folder)) {
    total.blobs += 1;
    total.bytes += sizeBytes;
  }
  for (const name of await listFolders(folder)) {
    const inside = await unlessMissing({ blobs: 0, bytes: 0 }, () => measure(`${folder}/${name}`));
    total.blobs += inside.blobs;
    total.bytes += inside.bytes;
  }
  return total;
}
