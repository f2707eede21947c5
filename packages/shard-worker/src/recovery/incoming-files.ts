/**
 * Files that a recovery receives in chunks. Until all files are whole and verified they have temporary names that no
 * commit names, so a crash or a failure leaves the copy's own files untouched (`MultiFileWriter`).
 */
import type { StoredFile } from "@orrery/replication";
import { fileChecksum } from "../store/file-checksum.ts";
import type { ShardCopy } from "../copy/shard-copy.ts";
import { CorruptStoreError } from "../store/corruption.ts";
import { dropFiles } from "../store/drop-files.ts";

/** A chunk in memory. */
interface Piece {
  readonly offset: number;
  readonly content: Uint8Array;
}

/** A file of which at least one chunk has come. */
interface Arriving {
  /** Length of the file so far, without gaps. */
  writtenBytes: number;
  /** Chunks beyond the first gap, in the order in which they came. */
  readonly early: Piece[];
}

/** The files of one attempt of one recovery; temporary names contain the recovery's id. */
export class IncomingFiles {
  readonly #copy: ShardCopy;
  readonly #recoveryId: number;
  readonly #arriving = new Map<string, Arriving>();
  #expected: readonly StoredFile[] = [];

  constructor(copy: ShardCopy) {
    this.#copy = copy;
    this.#recoveryId = copy.recovery.id;
  }

  /** Replaces the list of files to receive; parts that came for an earlier list are removed. */
  expect(files: readonly StoredFile[]): void {
    this.discard();
    this.#expected = files;
  }

  /**
   * Appends the chunk, and those received before their turn that follow it; a chunk before its turn is kept in memory. A
   * chunk that was received before has no effect.
   */
  add(name: string, offset: number, content: Uint8Array): void {
    const arriving = this.#arriving.get(name) ?? { writtenBytes: 0, early: [] };
    this.#arriving.set(name, arriving);
    arriving.early.push({ offset, content });
    for (;;) {
      const at = arriving.early.findIndex((piece) => piece.offset <= arriving.writtenBytes);
      if (at < 0) return;
      const [piece] = arriving.early.splice(at, 1);
      if (piece === undefined) return;
      if (piece.offset === arriving.writtenBytes) this.#append(name, arriving, piece.content);
    }
  }

  /**
   * Verifies length and checksum of every expected file, syncs all, renames them, and syncs the folder. No file is
   * renamed before the last one is verified, nor when `isGivenUp` says that the attempt has ended.
   * @throws CorruptStoreError A file is missing, short or damaged.
   */
  async complete(isGivenUp: () => boolean): Promise<void> {
    const { worker, paths } = this.#copy;
    for (const { name, checksum, sizeBytes } of this.#expected) {
      const bytes = worker.disk.exists(this.#path(name))
        ? worker.disk.read(this.#path(name))
        : undefined;
      if (bytes?.length === sizeBytes && fileChecksum(bytes) === checksum) continue;
      throw new CorruptStoreError(
        "corrupt_index_exception",
        `checksum failed after recovery (resource=${name})`,
      );
    }
    await worker.disk.sync(this.#expected.map(({ name }) => this.#path(name)));
    if (isGivenUp()) return;
    for (const { name } of this.#expected)
      worker.disk.rename(this.#path(name), `${paths.index}/${name}`);
    if (this.#expected.length > 0) await worker.disk.syncFolder(paths.index);
    this.#arriving.clear();
  }

  /** Removes temporary files. A disk that fails does not fail the caller (`dropFiles`). */
  discard(): void {
    for (const name of this.#arriving.keys()) dropFiles(this.#copy.worker, this.#path(name));
    this.#arriving.clear();
  }

  #append(name: string, arriving: Arriving, content: Uint8Array): void {
    const { disk } = this.#copy.worker;
    if (arriving.writtenBytes === 0) disk.write(this.#path(name), content);
    else disk.append(this.#path(name), content);
    arriving.writtenBytes += content.length;
    const progress = this.#copy.recovery.files.get(name);
    if (progress !== undefined) progress.recoveredBytes = arriving.writtenBytes;
  }

  #path(name: string): string {
    return `${this.#copy.paths.index}/recovery.${this.#recoveryId}.${name}`;
  }
}
