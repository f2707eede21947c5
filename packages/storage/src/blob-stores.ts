/** The BlobStores port of a real machine: folders of its file system, and URLs for read-only repositories. */
import { BlobError, type BlobOpeners, type BlobStores } from "@orrery/ports";
import { openBlobFolder } from "./blob-folder.ts";
import { openBlobUrl } from "./blob-url.ts";

const openers: BlobOpeners = {
  fs: ({ location, within }) => openBlobFolder(location, within),
  url: openBlobUrl,
};

/** The stores of this package and those of plugins, by type of address; one of `more` replaces one of this package. */
export function createBlobStores(more: BlobOpeners = {}): BlobStores {
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
