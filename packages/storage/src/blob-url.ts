/**
 * Blobs behind a URL, which are read and never written. `file:` URLs name a folder; others cannot be listed.
 *
 * A server is followed where the address says it may send, waited for as long as bytes come, and listened to up to the size of the largest
 * blob.
 */
import { fileURLToPath } from "node:url";
import {
  BlobError,
  type BlobAddress,
  type BlobInfo,
  type BlobRange,
  type BlobStore,
} from "@orrery/ports";
import { openBlobFolder } from "./blob-folder.ts";

export function openBlobUrl({ location, within, redirected }: BlobAddress): BlobStore {
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
    const files = openBlobFolder(fileURLToPath(url), within);
    return { ...files, list: (path) => emptyIfMissing(files.list(path)), ...writing };
  }
  return {
    ...writing,
    list: refuse,
    folders: refuse,
    read: (path, range) => fetchBlob(new URL(path, url), { range, redirected }),
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

interface Wanted {
  readonly range: BlobRange | undefined;
  readonly redirected: BlobAddress["redirected"];
}

const MOST_REDIRECTIONS = 5;
const LARGEST_BLOB_BYTES = 2 ** 30;
/** Without a byte for so long, a server has nothing more to say. */
const PATIENCE_MS = 30_000;

async function fetchBlob(url: URL, { range, redirected }: Wanted): Promise<Uint8Array> {
  try {
    const { offset, length } = range ?? { offset: 0, length: undefined };
    const end = length === undefined ? undefined : offset + length;
    const bytes = await fetchBytes(url, redirected, end);
    if (end === undefined) return bytes;
    if (end <= bytes.length) return bytes.subarray(offset, end);
    throw new BlobError("io", url.href, `read past the end of [${url.href}]`);
  } catch (error) {
    if (error instanceof BlobError) throw error;
    throw new BlobError("io", url.href, reasonOf(error));
  }
}

/** All that is there, or the first bytes up to `end` at least. */
async function fetchBytes(
  from: URL,
  redirected: BlobAddress["redirected"],
  end: number | undefined,
): Promise<Uint8Array> {
  const patience = createPatience();
  const { signal } = patience;
  let url = from.href;
  try {
    for (let hop = 0; hop <= MOST_REDIRECTIONS; hop += 1) {
      const response = await fetch(url, { redirect: "manual", signal });
      const to = redirectionOf(response);
      if (to === undefined) return await readAll(response, { url, end, patience });
      await response.body?.cancel();
      const next = URL.canParse(to, url) ? redirected?.(new URL(to, url).href) : undefined;
      if (next === undefined)
        throw new BlobError(
          "io",
          url,
          `[${url}] leads to a place that repositories.url.allowed_urls does not allow`,
        );
      url = next;
    }
    throw new BlobError("io", from.href, `[${from.href}] leads on and on`);
  } finally {
    patience.end();
  }
}

function redirectionOf({ status, headers }: Response): string | undefined {
  return [301, 302, 303, 307, 308].includes(status)
    ? (headers.get("location") ?? undefined)
    : undefined;
}

interface Patience {
  readonly signal: AbortSignal;
  /** Something came. */
  renew(): void;
  end(): void;
}

function createPatience(): Patience {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new Error(`nothing came for ${PATIENCE_MS / 1000} s`));
  }, PATIENCE_MS);
  return {
    signal: controller.signal,
    renew: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}

interface Reading {
  readonly url: string;
  readonly end: number | undefined;
  readonly patience: Patience;
}

async function readAll(
  response: Response,
  { url, end = Infinity, patience }: Reading,
): Promise<Uint8Array> {
  if (response.status === 404) throw new BlobError("missing", url, url);
  if (!response.ok) throw new BlobError("io", url, `status [${response.status}] from [${url}]`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    patience.renew();
    chunks.push(chunk);
    size += chunk.length;
    if (size > LARGEST_BLOB_BYTES)
      throw new BlobError("io", url, `[${url}] is larger than ${LARGEST_BLOB_BYTES} bytes`);
    if (size >= end) break;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Why nothing came says the cause, not the error of the fetch. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== ""
    ? error.cause.message
    : error.message;
}
