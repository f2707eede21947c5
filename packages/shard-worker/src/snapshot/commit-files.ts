/**
 * A commit as files of a repository, and back. Repositories keep a segment like a compound one of Lucene: directory
 * (`.cfe`), contents (`.cfs`), segment info (`.si`); beside them deletions, and the manifest of the commit.
 */
import type { Disk } from "@orrery/ports";
import type { StoredFile } from "@orrery/replication";
import type { ShardFile, SourceFile } from "@orrery/repository";
import { directoryOffset, TAIL_BYTES } from "@orrery/segment";
import { concatBytes, defined, utf8Encode } from "@orrery/stdx";
import { commitFile, encodeCommit, type Commit, type CommitSegment } from "../store/commit.ts";
import { CorruptStoreError } from "../store/corruption.ts";
import { fileChecksum } from "../store/file-checksum.ts";
import { readChecked } from "../store/read-checked.ts";

const suffixes = { directory: ".cfe", contents: ".cfs", description: ".si" } as const;

/** The files of a commit for a repository, the manifest last. Each file's contents are read on demand. */
export function filesToKeep(disk: Disk, folder: string, commit: Commit): readonly SourceFile[] {
  const segments = commit.segments.flatMap((segment) => segmentFiles(disk, folder, segment));
  const manifest = ofBytes(commitFile(commit.generation), encodeCommit(commit));
  return [...segments, manifest];
}

function segmentFiles(disk: Disk, folder: string, segment: CommitSegment): SourceFile[] {
  const { name, files, live, maxDoc } = segment;
  const parts = files.flatMap((file) => splitFile(disk, folder, file));
  const description = ofBytes(
    `${name}${suffixes.description}`,
    utf8Encode(JSON.stringify({ name, maxDoc, files })),
  );
  const deletions = live === undefined ? [] : [ofFile(disk, folder, live)];
  return [...parts, description, ...deletions];
}

/**
 * The parts of a segment file. Both carry the checksum of the whole file, which the commit has: comparing them with
 * an earlier snapshot reads nothing. A part that is written is read as a whole and verified: later snapshots would
 * share a damaged file, and none could be restored.
 */
function splitFile(disk: Disk, folder: string, file: StoredFile): SourceFile[] {
  const path = `${folder}/${file.name}`;
  const { sizeBytes, checksum } = file;
  const offset = sizeBytes - TAIL_BYTES;
  const start = directoryOffset(disk.read(path, { offset, length: TAIL_BYTES }));
  const base = baseOf(file.name);
  const part = (suffix: string, from: number, to: number): SourceFile => ({
    name: `${base}${suffix}`,
    sizeBytes: to - from,
    checksum,
    read: () => readChecked(disk, folder, file).subarray(from, to),
  });
  return [part(suffixes.directory, start, sizeBytes), part(suffixes.contents, 0, start)];
}

function ofFile(disk: Disk, folder: string, file: StoredFile): SourceFile {
  return { ...file, read: () => readChecked(disk, folder, file) };
}

function ofBytes(name: string, bytes: Uint8Array): SourceFile {
  return { name, sizeBytes: bytes.length, checksum: fileChecksum(bytes), read: () => bytes };
}

function baseOf(name: string): string {
  return name.slice(0, name.lastIndexOf("."));
}

/** Whether the file is the manifest of a commit. */
export function isManifest(file: ShardFile): boolean {
  return file.name.startsWith("segments_");
}

/**
 * Whether the file is a segment's `.si`. The manifest has the same content, so a restore only verifies the file.
 */
export function isDescription(file: ShardFile): boolean {
  return file.name.endsWith(suffixes.description);
}

/**
 * The files in the repository that make up a stored file, in order.
 * @throws CorruptStoreError A part is missing.
 */
export function partsFor(stored: StoredFile, kept: readonly ShardFile[]): readonly ShardFile[] {
  const named = (name: string): ShardFile | undefined => kept.find((file) => file.name === name);
  const whole = named(stored.name);
  if (whole !== undefined) return [whole];
  const base = baseOf(stored.name);
  const contents = named(`${base}${suffixes.contents}`);
  const directory = named(`${base}${suffixes.directory}`);
  if (contents !== undefined && directory !== undefined) return [contents, directory];
  throw new CorruptStoreError(
    "corrupt_index_exception",
    `no such file in the snapshot (resource=${stored.name})`,
  );
}

/**
 * The bytes of a stored file, joined from its parts and verified.
 * @throws CorruptStoreError Length or checksum differ.
 */
export function joined(stored: StoredFile, parts: readonly Uint8Array[]): Uint8Array {
  const bytes = parts.length === 1 ? defined(parts[0], "the only part") : concatBytes(parts);
  checkWhole(stored, bytes);
  return bytes;
}

/**
 * Checks the bytes of a file against its length and checksum.
 * @throws CorruptStoreError One of them differs.
 */
export function checkWhole(
  { name, sizeBytes, checksum }: Pick<StoredFile, "name" | "sizeBytes" | "checksum">,
  bytes: Uint8Array,
): void {
  if (bytes.length === sizeBytes && fileChecksum(bytes) === checksum) return;
  throw new CorruptStoreError(
    "corrupt_index_exception",
    `checksum failed after restore (resource=${name})`,
  );
}
