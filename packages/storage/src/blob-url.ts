/** Blobs behind a URL, which are read and never written. `file:` URLs name a folder; others cannot be listed. */
import { fileURLToPath } from "node:url";
import { BlobError, type BlobRange, type BlobStore } from "@orrery/ports";
import { openBlobFolder } from "./blob-folder.ts";

export function openBlobUrl(location: string): BlobStore {
  const refuse = async (): Promise<never> => {
    throw new BlobError(
      "read-only",
      location,
      "URL repository doesn't support this operation. Please use a different repository type",
    );
  };
  const writing = { write: refuse, remove: refuse, removeFolder: refuse };
  const url = new URL(location.endsWith("/") ? location : `${location}/`);
  if (url.protocol === "file:" && url.host === "")
    return { ...openBlobFolder(fileURLToPath(url)), ...writing };
  return {
    ...writing,
    list: refuse,
    folders: refuse,
    read: (path, range) => fetchBlob(new URL(path, url).href, range),
  };
}

async function fetchBlob(url: string, range: BlobRange | undefined): Promise<Uint8Array> {
  try {
    const response = await fetch(url);
    if (response.status === 404) throw new BlobError("missing", url, url);
    if (!response.ok) throw new BlobError("io", url, `status [${response.status}] from [${url}]`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (range === undefined) return bytes;
    const { offset, length } = range;
    if (offset + length <= bytes.length) return bytes.subarray(offset, offset + length);
    throw new BlobError("io", url, `read past the end of [${url}]`);
  } catch (error) {
    if (error instanceof BlobError) throw error;
    throw new BlobError("io", url, error instanceof Error ? error.message : String(error));
  }
}
