/** Repositories of the type `lying`: folders of the world, whose stores list names of a test's choice beside those that are there. */
import type { Plugin } from "@orrery/node";
import type { BlobStore } from "@orrery/ports";
import { creationRefused, type RepositoryType } from "@orrery/repository";

export interface Lies {
  /** Listed beside what is in this folder. */
  readonly folders: Map<string, string>;
  readonly blobs: Map<string, string>;
  /** Paths that the stores were told to remove. */
  readonly removed: string[];
}

export function lyingRepository(lies: Lies): Plugin {
  const lying: RepositoryType = {
    type: "lying",
    isReadOnly: false,
    onNode: () => ({
      address({ name, type, texts: { location } }) {
        if (location === undefined) throw creationRefused(name, "missing location");
        return { type, location };
      },
      open: (address, { blobs }) => storeWith(lies, blobs.open({ ...address, type: "fs" })),
    }),
  };
  return {
    name: "repository-lying",
    description: "Stores that list names which are none",
    classname: "test.plugins.LyingRepositoryPlugin",
    shards: { name: "lying", repositoryTypes: [lying] },
  };
}

function storeWith(lies: Lies, store: BlobStore): BlobStore {
  return {
    ...store,
    async folders(folder) {
      const lie = lies.folders.get(folder);
      return [...(lie === undefined ? [] : [lie]), ...(await store.folders(folder))];
    },
    async list(folder) {
      const lie = lies.blobs.get(folder.replace(/^indices\/[^/]+/, "indices/I"));
      const more = lie === undefined ? [] : [{ name: lie, sizeBytes: 1 }];
      return [...more, ...(await store.list(folder))];
    },
    async remove(paths) {
      lies.removed.push(...paths);
      await store.remove(paths);
    },
    async removeFolder(folder) {
      lies.removed.push(folder);
      return store.removeFolder(folder);
    },
  };
}
