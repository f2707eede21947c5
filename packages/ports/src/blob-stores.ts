/**
 * The BlobStores port: places for repositories' blobs, outside of every node and shared by all of them
 * (`BlobContainer`).
 *
 * Contract: paths are relative to the store's address, `/`-separated. A blob whose write has completed is there whole
 * and survives any crash; a write that did not complete has happened whole or not at all. Every node reads what one
 * node has written. There are no empty folders to list. Operations reject with `BlobError` only.
 */

/** The blob stores that a node can open. */
export interface BlobStores {
  /** Types of address that can be opened here. */
  readonly types: readonly string[];
  /** Makes no request yet: a place that does not exist fails the first operation. */
  open(address: BlobAddress): BlobStore;
}

/** For each type of address, the function that opens it. */
export type BlobOpeners = Readonly<Record<string, BlobStores["open"]>>;

/** The address of a repository, as its type reads it from settings. */
export interface BlobAddress {
  /** One of `types`; the type of the repository, such as `fs`. */
  readonly type: string;
  /** The place in the notation of its type: an absolute folder, a URL … */
  readonly location: string;
  /** Further settings that the type needs. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The store is never written to, and a missing place reads like an empty one. */
  readonly isReadOnly?: boolean;
  /** Folders out of which no symbolic link may lead; by default the location itself. Only used for files. */
  readonly within?: readonly string[];
  /**
   * The URL to follow for a server's redirection to `to`; `undefined` refuses it. Absent: no redirection is followed.
   */
  readonly redirected?: (to: string) => string | undefined;
}

/** One opened store. */
export interface BlobStore {
  /**
   * Blobs directly inside a folder, in the order of their names; none when the folder is missing. Rejects with
   * `missing` when the store's own place is missing, as before the first write; a read-only store then lists no blobs.
   */
  list(folder: string): Promise<readonly BlobInfo[]>;
  /** Names of the folders directly inside a folder, sorted. */
  folders(folder: string): Promise<readonly string[]>;
  /** The blob, or a part of it. Rejects with `missing`. */
  read(path: string, range?: BlobRange): Promise<Uint8Array>;
  /** Creates a blob; an existing one is replaced if `replace` is set, otherwise the write rejects with `exists`. */
  write(path: string, bytes: Uint8Array, how?: { readonly replace: boolean }): Promise<void>;
  /** Removes blobs; missing ones are skipped. */
  remove(paths: readonly string[]): Promise<void>;
  /** Removes a folder with its contents; the result is the number and size of the removed blobs. */
  removeFolder(folder: string): Promise<RemovedBlobs>;
}

export interface BlobInfo {
  readonly name: string;
  readonly sizeBytes: number;
}

/** A part of a blob, in bytes. */
export interface BlobRange {
  readonly offset: number;
  readonly length: number;
}

export interface RemovedBlobs {
  readonly blobs: number;
  readonly bytes: number;
}

/**
 * Whether a path is inside a location, for rules of faults. An empty location contains every path; a relative one may
 * lie in any folder.
 */
export function isAtLocation(path: string, location: string): boolean {
  const place = location.replace(/^file:(\/\/)?/, "").replace(/(?<!\/)\/+$/, "");
  if (place === "" || path === place || path.startsWith(`${place}/`)) return true;
  return !place.startsWith("/") && `${path}/`.includes(`/${place}/`);
}

/** Reasons for a failed operation, independent of the world. */
export type BlobErrorKind = "missing" | "exists" | "full" | "read-only" | "io";

/** The only error of blob stores. Messages are those of the world's file system or server. */
export class BlobError extends Error {
  override readonly name = "BlobError";
  readonly kind: BlobErrorKind;
  /** The path or URL, as the world names it. */
  readonly path: string;

  constructor(kind: BlobErrorKind, path: string, message: string) {
    super(message);
    this.kind = kind;
    this.path = path;
  }
}

const words: Readonly<Record<BlobErrorKind, (path: string) => string>> = {
  missing: (path) => path,
  exists: (path) => path,
  full: () => "No space left on device",
  "read-only": (path) => `${path}: Read-only file system`,
  io: (path) => `${path}: Input/output error`,
};

/** A `BlobError` with the message of a file system, for worlds that have none. */
export function blobError(kind: BlobErrorKind, path: string): BlobError {
  return new BlobError(kind, path, words[kind](path));
}
