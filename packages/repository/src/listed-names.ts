/**
 * Names that a blob store lists, checked where they enter: they become parts of paths, which are read, replaced and removed. A name that is
 * not one step of a path would lead elsewhere, and the whole listing is refused with it.
 */
import type { BlobStore } from "@orrery/ports";
import { ListingError, repositoryProblem } from "./problems.ts";

/** The store of a repository, with listings that are checked. */
export function withCheckedNames(repository: string, store: BlobStore): BlobStore {
  const check = (folder: string, names: readonly unknown[]): void => {
    const [bad] = names.flatMap((name) => (isName(name) ? [] : [{ name }]));
    if (bad === undefined) return;
    const shown = typeof bad.name === "string" ? JSON.stringify(bad.name) : typeof bad.name;
    const what = `the blob store lists [${shown}] in [${folder}], which is no name`;
    throw new ListingError(repositoryProblem(repository, what));
  };
  return {
    async list(folder) {
      const blobs = await store.list(folder);
      check(
        folder,
        blobs.map(({ name }) => name),
      );
      return blobs;
    },
    async folders(folder) {
      const names = await store.folders(folder);
      check(folder, names);
      return names;
    },
    read: (path, range) => store.read(path, range),
    write: (path, bytes, how) => store.write(path, bytes, how),
    remove: (paths) => store.remove(paths),
    removeFolder: (folder) => store.removeFolder(folder),
  };
}

/** One step of a path, on any machine. */
function isName(name: unknown): boolean {
  return typeof name === "string" && name !== "." && name !== ".." && /^[^/\\\0]+$/.test(name);
}
