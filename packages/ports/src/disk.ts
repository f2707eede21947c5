/**
 * Files of one node's data folder. Paths are relative, `/`-separated.
 *
 * Contract: reads see every earlier write of this process at once. A write survives a crash only when a
 * `sync` that was asked for after it has completed; `rename` and `remove` survive once `syncFolder` of their folder
 * has completed. What was not synced may be lost, torn or kept, in any mixture. Operations throw
 * `DiskError`; nothing else.
 */

export interface Disk {
  /** Names directly inside a folder, sorted; empty when there is no such folder. */
  list(folder: string): readonly string[];
  exists(path: string): boolean;
  sizeBytes(path: string): number;
  /** The whole file over shared memory, or a part of it. The caller must not write into it. */
  read(path: string, range?: { readonly offset: number; readonly length: number }): Uint8Array;
  /** Creates or replaces a file; missing folders are made. */
  write(path: string, bytes: Uint8Array): void;
  /** Creates the file when it is missing. */
  append(path: string, bytes: Uint8Array): void;
  truncate(path: string, sizeBytes: number): void;
  rename(from: string, to: string): void;
  /** A file, or a folder with all it holds. Nothing happens when it is missing. */
  remove(path: string): void;
  /** Completes when the contents of these files are durable. */
  sync(paths: readonly string[]): Promise<void>;
  syncFolder(folder: string): Promise<void>;
  usage(): DiskUsage;
}

export interface DiskUsage {
  readonly totalBytes: number;
  readonly freeBytes: number;
  readonly availableBytes: number;
}

export type DiskErrorKind = "missing" | "full" | "read-only" | "io";

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
