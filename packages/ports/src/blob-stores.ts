/**
 * Where repositories keep their blobs: outside of every node, shared by all of them.
 *
 * Contract: paths are relative to the store's address, `/`-separated. A blob that was written is there whole and survives any
 * crash; a write that did not complete may have happened whole or not at all. What one node has written every node
 * reads. There are no empty folders to list. Operations reject with `BlobError`; nothing else.
 */

export interface BlobStores {
  /** Types of address that can be opened here. */
  readonly types: readonly string[];
  /** Reaches for nothing yet: whether the place exists shows with the first operation. */
  open(address: BlobAddress): BlobStore;
}

/** How a world opens the addresses of each type. */
export type BlobOpeners = Readonly<Record<string, BlobStores["open"]>>;

export interface BlobAddress {
  /** One of `types`: that of the repository, as `fs`. */
  readonly type: string;
  /** Where it is, in the words of its type: an absolute folder, a URL … */
  readonly location: string;
  /** What else the type wants to know. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Nothing is written there, and whether the place is there does not show. */
  readonly isReadOnly?: boolean;
  /** Folders that no symbolic link may lead out of; the location itself when none are given. Only files have them. */
  readonly within?: readonly string[];
  /** Where a server's redirection to this URL leads; `undefined` when it must not be followed. Without it none is. */
  readonly redirected?: (to: string) => string | undefined;
}

export interface BlobStore {
  /**
   * Blobs directly inside a folder, in the order of their names; none when there is no such folder. `missing` when the store's own
   * place is not there, as one that nobody ever wrote to; of an address that is only read that does not show.
   */
  list(folder: string): Promise<readonly BlobInfo[]>;
  /** Names of the folders directly inside a folder, sorted. */
  folders(folder: string): Promise<readonly string[]>;
  read(path: string, range?: BlobRange): Promise<Uint8Array>;
  /** Creates a blob, or replaces it where `replace` is told; else `exists` when it is there. */
  write(path: string, bytes: Uint8Array, how?: { readonly replace: boolean }): Promise<void>;
  /** Blobs that are missing are no error. */
  remove(paths: readonly string[]): Promise<void>;
  /** A folder with all it holds; tells what that was. */
  removeFolder(folder: string): Promise<RemovedBlobs>;
}

export interface BlobInfo {
  readonly name: string;
  readonly sizeBytes: number;
}

export interface BlobRange {
  readonly offset: number;
  readonly length: number;
}

export interface RemovedBlobs {
  readonly blobs: number;
  readonly bytes: number;
}

/** Whether a path is inside of a place. Empty: any place; a relative one may lie in any folder. */
export function isAtLocation(path: string, location: string): boolean {
  const place = location.replace(/^file:(\/\/)?/, "").replace(/(?<!\/)\/+$/, "");
  if (place === "" || path === place || path.startsWith(`${place}/`)) return true;
  return !place.startsWith("/") && `${path}/`.includes(`/${place}/`);
}

export type BlobErrorKind = "missing" | "exists" | "full" | "read-only" | "io";

export class BlobError extends Error {
  override readonly name = "BlobError";
  readonly kind: BlobErrorKind;
  /** Where it happened, as the world names the place. */
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

/** In the words of a file system, for worlds without one. */
export function blobError(kind: BlobErrorKind, path: string): BlobError {
  return new BlobError(kind, path, words[kind](path));
}
