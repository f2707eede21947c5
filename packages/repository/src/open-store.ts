/**
 * The blob store of a repository, where this node may go: no other way leads from a repository's settings to its blobs.
 *
 * Whether a URL may be used is asked with the first operation, as in the product; operations then reject with the `OperationError` that says
 * why not.
 */
import type { BlobAddress, BlobStore, BlobStores } from "@orrery/ports";
import type { NodeRepositorySettings } from "./node-settings.ts";
import { allowedUrl } from "./repository-url.ts";

/** An address as a repository's settings have it. */
export interface StoreToOpen {
  /** Of the repository. */
  readonly name: string;
  readonly address: BlobAddress;
}

/** Throws what `allowedUrl` throws, for those that are told before they begin. */
export function checkAddress({ name, address }: StoreToOpen, node: NodeRepositorySettings): void {
  if (address.type === "url") allowedUrl(name, address.location, node);
}

export function openStore(
  blobs: BlobStores,
  { name, address }: StoreToOpen,
  node: NodeRepositorySettings,
): BlobStore {
  if (address.type !== "url") return blobs.open(address);
  let opened: BlobStore | undefined;
  const store = async (): Promise<BlobStore> => {
    opened ??= blobs.open({ ...address, ...allowedUrl(name, address.location, node) });
    return opened;
  };
  return {
    list: async (folder) => (await store()).list(folder),
    folders: async (folder) => (await store()).folders(folder),
    read: async (path, range) => (await store()).read(path, range),
    write: async (path, bytes, how) => (await store()).write(path, bytes, how),
    remove: async (paths) => (await store()).remove(paths),
    removeFolder: async (folder) => (await store()).removeFolder(folder),
  };
}
