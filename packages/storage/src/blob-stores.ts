/** The BlobStores port of the machine: folders of its file system, and URLs that are only read. */
import { BlobError, type BlobAddress, type BlobStore, type BlobStores } from "@orrery/ports";
import { openBlobFolder } from "./blob-folder.ts";
import { openBlobUrl } from "./blob-url.ts";

export type BlobStoreOpener = (address: BlobAddress) => BlobStore;

const openers: Readonly<Record<string, BlobStoreOpener>> = {
  fs: ({ location, within }) => openBlobFolder(location, within),
  url: openBlobUrl,
};

/** With more types of address than its own, for instance of other packages. */
export function createBlobStores(more: Readonly<Record<string, BlobStoreOpener>> = {}): BlobStores {
  const all = new Map([...Object.entries(openers), ...Object.entries(more)]);
  return {
    types: [...all.keys()],
    open: (address) => {
      const opener = all.get(address.type);
      if (opener) return opener(address);
      throw new BlobError("missing", address.location, `no blob stores of type [${address.type}]`);
    },
  };
}
