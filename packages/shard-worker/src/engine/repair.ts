/**
 * Repairs files of a commit that were damaged on the disk while the engine was open, from the engine's memory.
 * OpenSearch has no such repair: it fails the copy.
 */
import type { StoredFile } from "@orrery/replication";
import { encodeLiveDocs } from "@orrery/segment";
import { filesOf, type Commit } from "../store/commit.ts";
import { CorruptStoreError } from "../store/corruption.ts";
import { fileChecksum } from "../store/file-checksum.ts";
import { guardedAsync } from "./failure.ts";
import type { EngineState } from "./types.ts";

/**
 * Writes damaged files of a commit again from memory, and syncs them. Returns the number of damaged files. A file that
 * is no longer in memory fails the engine.
 */
export async function repairCommit(engine: EngineState, commit: Commit): Promise<number> {
  const { disk, paths } = engine.options;
  const pathOf = ({ name }: StoredFile): string => `${paths.index}/${name}`;
  const isRight = (file: StoredFile): boolean =>
    disk.exists(pathOf(file)) && fileChecksum(disk.read(pathOf(file))) === file.checksum;
  const damaged = filesOf(commit).filter((file) => !isRight(file));
  if (damaged.length === 0) return 0;
  await guardedAsync(engine, async () => {
    for (const file of damaged) {
      const bytes = inMemory(engine, file);
      if (bytes === undefined) throw unrepairable(file);
      disk.write(pathOf(file), bytes);
    }
    await disk.sync(damaged.map(pathOf));
  });
  return damaged.length;
}

/** The contents of a file, unless a merge has replaced its segment or newer live docs its deletes. */
function inMemory(engine: EngineState, file: StoredFile): Uint8Array | undefined {
  for (const { reader, committed, committedLive } of engine.segments) {
    const found = reader.files.find(({ name }) => name === file.name);
    if (found !== undefined) return found.bytes;
    if (committed?.live?.name === file.name && committedLive !== undefined) {
      return encodeLiveDocs(committedLive);
    }
  }
  return undefined;
}

function unrepairable({ name }: StoredFile): CorruptStoreError {
  return new CorruptStoreError("corrupt_index_exception", `checksum failed (resource=${name})`);
}
