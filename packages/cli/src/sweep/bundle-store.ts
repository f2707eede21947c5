/** Place for the bundles of failures: a folder, or a bucket of S3 for machines whose disk does not stay. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { removeEmpty, prepareFolder } from "./folder.ts";

export interface BundleStore {
  /** Path at which a run writes the bundle of this name. */
  pathOf(name: string): string;
  /** Moves a written bundle to its place, and returns its address. Throws if it stays where it is. */
  store(path: string): Promise<string>;
  /** Removes what was created for bundles and is empty. */
  end(): void;
}

/** Opens a folder, or `s3://BUCKET/PREFIX`, that an option names. Throws `UsageError` if nothing can be written there. */
export async function openBundleStore(keep: string, option = "--keep"): Promise<BundleStore> {
  if (!keep.startsWith("s3://")) {
    const removeUnused = prepareFolder(keep);
    return { pathOf: (name) => join(keep, name), store: async (path) => path, end: removeUnused };
  }
  // Loaded on demand: few sweeps need it.
  const { openBucket } = await import("../bucket.ts");
  const bucket = openBucket(keep, option);
  await bucket.check();
  const folder = mkdtempSync(join(tmpdir(), "orrery-bundles-"));
  return {
    pathOf: (name) => join(folder, name),
    store: async (path) => {
      const address = await bucket.put(basename(path), path);
      rmSync(path);
      return address;
    },
    // A bundle that could not be stored stays, and its run names the path.
    end: () => void removeEmpty(folder),
  };
}
