/** Files that arrive in chunks, under temporary names until all are there and right. */
import type { StoredFile } from "@orrery/replication";
import { fileChecksum } from "../store/file-checksum.ts";
import type { ShardCopy } from "../copy/shard-copy.ts";
import { CorruptStoreError } from "../store/corruption.ts";
import { dropFiles } from "../store/drop-files.ts";

interface Piece {
  readonly offset: number;
  readonly content: Uint8Array;
}

interface Arriving {
  writtenBytes: number;
  /** Came before their turn. */
  readonly early: Piece[];
}

export class IncomingFiles {
  readonly #copy: ShardCopy;
  readonly #recoveryId: number;
  readonly #arriving = new Map<string, Arriving>();
  #expected: readonly StoredFile[] = [];

  constructor(copy: ShardCopy) {
    this.#copy = copy;
    this.#recoveryId = copy.recovery.id;
  }

  expect(files: readonly StoredFile[]): void {
    this.discard();
    this.#expected = files;
  }

  /** A chunk that came before, again, changes nothing. */
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

  /** Every file is whole, durable, and has its name; unless the recovery was given up. Throws `CorruptStoreError`. */
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
