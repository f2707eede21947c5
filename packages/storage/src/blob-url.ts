/** Blobs behind a URL, which are read and never written. `file:` URLs name a folder; others cannot be listed. */
import { fileURLToPath } from "node:url";
import { BlobError, type BlobInfo, type BlobRange, type BlobStore } from "@orrery/ports";
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
  const folder = location.endsWith("/") ? location : `${location}/`;
  if (!URL.canParse(folder)) {
    const nowhere = async (): Promise<never> => {
      throw new BlobError("io", location, `[${location}] is no URL that leads anywhere`);
    };
    return { ...writing, list: nowhere, folders: nowhere, read: nowhere };
  }
  const url = new URL(folder);
  if (url.protocol === "file:" && url.host === "") {
    const files = openBlobFolder(fileURLToPath(url));
    return { ...files, list: (path) => emptyIfMissing(files.list(path)), ...writing };
  }
  return {
    ...writing,
    list: refuse,
    folders: refuse,
    read: (path, range) => fetchBlob(new URL(path, url).href, range),
  };
}

/** Whether there is anything behind a URL shows with what is read. */
async function emptyIfMissing(blobs: Promise<readonly BlobInfo[]>): Promise<readonly BlobInfo[]> {
  try {
    return await blobs;
  } catch (error) {
    if (error instanceof BlobError && error.kind === "missing") return [];
    throw error;
  }
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
    throw new BlobError("io", url, reasonOf(error));
  }
}

/** Why nothing came says the cause, not the error of the fetch. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== ""
    ? error.cause.message
    : error.message;
}
