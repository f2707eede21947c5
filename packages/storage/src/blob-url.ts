/**
 * Blobs behind a URL, for reading only. `file:` URLs name a folder; other URLs cannot be listed.
 *
 * Requests to a server are limited: redirections to those that the address allows, idle time to `IDLE_TIMEOUT_MS`, size
 * to that of the largest blob.
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

/** The store behind a URL. A malformed URL yields a store whose operations reject. */
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

/** A missing folder lists as empty, as in OpenSearch: a URL repository shows only in reads whether it exists. */
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
/** Time without a byte after which a request is aborted. */
const IDLE_TIMEOUT_MS = 30_000;

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

/** The whole contents, or at least the first bytes up to `end`. */
async function fetchBytes(
  from: URL,
  redirected: BlobAddress["redirected"],
  end: number | undefined,
): Promise<Uint8Array> {
  const idleTimeout = createIdleTimeout();
  const { signal } = idleTimeout;
  let url = from.href;
  try {
    for (let hop = 0; hop <= MOST_REDIRECTIONS; hop += 1) {
      const response = await fetch(url, { redirect: "manual", signal });
      const to = redirectionOf(response);
      if (to === undefined) return await readAll(response, { url, end, idleTimeout });
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
    idleTimeout.end();
  }
}

function redirectionOf({ status, headers }: Response): string | undefined {
  return [301, 302, 303, 307, 308].includes(status)
    ? (headers.get("location") ?? undefined)
    : undefined;
}

/** Aborts a request that is idle for too long. */
interface IdleTimeout {
  readonly signal: AbortSignal;
  /** A byte has arrived: the idle time starts anew. */
  renew(): void;
  end(): void;
}

function createIdleTimeout(): IdleTimeout {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new Error(`nothing came for ${IDLE_TIMEOUT_MS / 1000} s`));
  }, IDLE_TIMEOUT_MS);
  return {
    signal: controller.signal,
    renew: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}

interface Reading {
  readonly url: string;
  readonly end: number | undefined;
  readonly idleTimeout: IdleTimeout;
}

async function readAll(
  response: Response,
  { url, end = Infinity, idleTimeout }: Reading,
): Promise<Uint8Array> {
  if (response.status === 404) throw new BlobError("missing", url, url);
  if (!response.ok) throw new BlobError("io", url, `status [${response.status}] from [${url}]`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    idleTimeout.renew();
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

/** The cause names the failure of a connection; the error of `fetch` only says that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== ""
    ? error.cause.message
    : error.message;
}
