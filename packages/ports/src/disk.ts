/**
 * The Disk port: the files of one node's data folder. Paths are relative, `/`-separated.
 *
 * Contract: a read sees every earlier write of this process. A write survives a crash only when a `sync` requested
 * after it has completed; `rename` and `remove` survive once `syncFolder` of their folder has completed. Unsynced
 * changes may be lost, torn or kept, in any mixture. Operations throw `DiskError` only.
 */

export interface Disk {
  /** Names directly inside a folder, sorted; empty when there is no such folder. */
  list(folder: string): readonly string[];
  exists(path: string): boolean;
  sizeBytes(path: string): number;
  /** The whole file or a part of it, over shared memory. The caller must not write into it. */
  read(path: string, range?: { readonly offset: number; readonly length: number }): Uint8Array;
  /** Creates or replaces a file; missing folders are created. */
  write(path: string, bytes: Uint8Array): void;
  /** Appends to a file; a missing one is created. */
  append(path: string, bytes: Uint8Array): void;
  truncate(path: string, sizeBytes: number): void;
  rename(from: string, to: string): void;
  /** Removes a file, or a folder with its contents. A missing one is skipped. */
  remove(path: string): void;
  /** Resolves when the contents of these files are durable. */
  sync(paths: readonly string[]): Promise<void>;
  /** Resolves when creations, renames and removals in the folder are durable. */
  syncFolder(folder: string): Promise<void>;
  usage(): DiskUsage;
}

/** The file system of the data folder. `availableBytes` is what this user may still write. */
export interface DiskUsage {
  readonly totalBytes: number;
  readonly freeBytes: number;
  readonly availableBytes: number;
}

/** Reasons for a failed operation, independent of the world. */
export type DiskErrorKind = "missing" | "full" | "read-only" | "io";

/** The only error of disks. */
export class DiskError extends Error {
  override readonly name = "DiskError";
  readonly kind: DiskErrorKind;
  readonly path: string;

  constructor(kind: DiskErrorKind, path: string, message: string) {
    super(message);
    this.kind = kind;
    this.path = path;
  }
}
