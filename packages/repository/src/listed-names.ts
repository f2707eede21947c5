/**
 * Check of the names in a blob store's listings. Names become parts of paths that are read, replaced and removed, so one
 * that is not a single path step (`../x`) could lead out of the repository; it fails the whole listing.
 */
import type { BlobStore } from "@orrery/ports";
import { ListingError, repositoryProblem } from "./problems.ts";

/** The store with checked listings, which reject with `ListingError`. */
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

/** Whether the name is a single path step on every operating system. */
function isName(name: unknown): boolean {
  return typeof name === "string" && name !== "." && name !== ".." && /^[^/\\\0]+$/.test(name);
}
