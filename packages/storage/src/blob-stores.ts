/** The BlobStores port of the machine: folders of its file system, and URLs that are only read. */
import { BlobError, type BlobOpeners, type BlobStores } from "@orrery/ports";
import { openBlobFolder } from "./blob-folder.ts";
import { openBlobUrl } from "./blob-url.ts";

const openers: BlobOpeners = {
  fs: ({ location, within }) => openBlobFolder(location, within),
  url: openBlobUrl,
};

/** With the openers of plugins beside its own, by type of address. */
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
