/**
 * Blobs as files of one folder, which nodes may share.
 *
 * A blob is written beside its place under a name that starts with `pending-`, synced, and then given its name: by a hard link
 * where it must not exist yet, because that fails when the name is taken; by a rename where it may. What a crash leaves
 * of that is listed like any blob, so that a cleanup finds it.
 */
import { randomBytes } from "node:crypto";
import { link, mkdir, open, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BlobError, type BlobInfo, type BlobRange, type BlobStore } from "@orrery/ports";
import { asBlobError, unlessMissing } from "./blob-error.ts";
import { checkPath } from "./path.ts";

export function openBlobFolder(root: string): BlobStore {
  const absolute = (path: string): string => join(root, checkPath(path));
  return {
    list: (folder) =>
      asBlobError(absolute(folder), async () => {
        if (folder === "") await stat(root);
        return listFiles(absolute(folder));
      }),
    folders: (folder) => asBlobError(absolute(folder), () => listFolders(absolute(folder))),
    read: (path, range) => asBlobError(absolute(path), () => readFile(absolute(path), range)),
    write: (path, bytes, how) =>
      asBlobError(absolute(path), () => writeFile(absolute(path), bytes, how?.replace ?? false)),
    remove: async (paths) => {
      for (const path of paths) {
        const file = absolute(path);
        await asBlobError(file, () => unlessMissing(undefined, () => unlink(file)));
      }
    },
    removeFolder: (folder) =>
      asBlobError(absolute(folder), async () => {
        const removed = await measure(absolute(folder));
        await rm(absolute(folder), { recursive: true, force: true });
        return removed;
      }),
  };
}

async function listFiles(folder: string): Promise<readonly BlobInfo[]> {
  const entries = await unlessMissing([], () => readdir(folder, { withFileTypes: true }));
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  const infos: BlobInfo[] = [];
  for (const name of names.toSorted()) {
    // One that was removed meanwhile is not there.
    const found = await unlessMissing(undefined, () => stat(join(folder, name)));
    if (found) infos.push({ name, sizeBytes: found.size });
  }
  return infos;
}

async function listFolders(folder: string): Promise<readonly string[]> {
  const entries = await unlessMissing([], () => readdir(folder, { withFileTypes: true }));
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return names.toSorted();
}

async function readFile(file: string, range: BlobRange | undefined): Promise<Uint8Array> {
  const handle = await open(file, "r");
  try {
    const { offset, length } = range ?? { offset: 0, length: (await handle.stat()).size };
    const bytes = new Uint8Array(length);
    let at = 0;
    while (at < length) {
      const { bytesRead } = await handle.read(bytes, at, length - at, offset + at);
      if (bytesRead === 0) throw new BlobError("io", file, `read past the end of [${file}]`);
      at += bytesRead;
    }
    return bytes;
  } finally {
    await handle.close();
  }
}

async function writeFile(file: string, bytes: Uint8Array, replace: boolean): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true });
  const pending = join(folder, `pending-${randomBytes(12).toString("hex")}`);
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

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function measure(folder: string): Promise<{ blobs: number; bytes: number }> {
  const total = { blobs: 0, bytes: 0 };
  for (const { sizeBytes } of await listFiles(folder)) {
    total.blobs += 1;
    total.bytes += sizeBytes;
  }
  for (const name of await listFolders(folder)) {
    const inside = await measure(join(folder, name));
    total.blobs += inside.blobs;
    total.bytes += inside.bytes;
  }
  return total;
}
