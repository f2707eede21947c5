/**
 * A commit point (`SegmentInfos`): the manifest that names the files of a copy and describes the operations that they
 * hold. A manifest is written under a pending name, synced, then renamed: under its own name it is whole.
 */
import type { Disk } from "@orrery/ports";
import type { RetentionLeases, StoredFile } from "@orrery/replication";
import { crc32c, utf8Decode, utf8Encode } from "@orrery/stdx";
import { CorruptStoreError } from "./corruption.ts";

/** A segment with the files that it has in this commit. */
export interface CommitSegment {
  readonly name: string;
  readonly files: readonly StoredFile[];
  /** The file of its live docs; `undefined`: every document is live. */
  readonly live: StoredFile | undefined;
  readonly maxDoc: number;
  readonly liveDocs: number;
}

/** A commit. Members are those of its JSON. */
export interface Commit {
  readonly generation: number;
  /** A random id, which the product shows. */
  readonly id: string;
  readonly segments: readonly CommitSegment[];
  /** The number in the name of the next segment. */
  readonly nextSegment: number;
  /** The highest sequence number in the segments. */
  readonly maxSeqNo: number;
  /** Every operation up to here is in the segments. */
  readonly localCheckpoint: number;
  /** The segments hold every operation from here on as history. */
  readonly minRetainedSeqNo: number;
  readonly historyUuid: string;
  /** The history of the shard of another cluster from whose files this one began. */
  readonly copiedHistoryUuid?: string;
  readonly translogUuid: string;
  /** Operations that the segments lack are in this generation or later. */
  readonly translogGeneration: number;
  readonly maxUnsafeAutoIdMs: number;
  readonly leases: RetentionLeases;
}

const PREFIX = "segments_";

/** The name of a commit's manifest: `segments_` and the generation in base 36, as in Lucene. */
export function commitFile(generation: number): string {
  return `${PREFIX}${generation.toString(36)}`;
}

/** Generations of the commits in a folder, ascending. */
export function listCommits(disk: Disk, folder: string): number[] {
  return disk
    .list(folder)
    .flatMap((name) =>
      name.startsWith(PREFIX) ? [Number.parseInt(name.slice(PREFIX.length), 36)] : [],
    )
    .toSorted((a, b) => a - b);
}

/**
 * Reads the commit of a generation.
 * @throws CorruptStoreError The manifest is damaged, or is that of another generation.
 */
export function readCommit(disk: Disk, folder: string, generation: number): Commit {
  const path = `${folder}/${commitFile(generation)}`;
  const commit = decodeCommit(disk.read(path), path);
  if (commit.generation === generation) return commit;
  const reason = `it is commit [${commit.generation}] (resource=${path})`;
  throw new CorruptStoreError("corrupt_index_exception", reason);
}

/** Encodes a manifest: CRC-32C in hexadecimal, a line feed, and the commit as JSON. */
export function encodeCommit(commit: Commit): Uint8Array {
  const body = JSON.stringify(commit);
  return utf8Encode(`${crc32c(utf8Encode(body)).toString(16).padStart(8, "0")}\n${body}`);
}

/**
 * Decodes a manifest; `path` is for the error.
 * @throws CorruptStoreError The checksum does not match.
 */
export function decodeCommit(bytes: Uint8Array, path: string): Commit {
  const text = utf8Decode(bytes);
  const body = text.slice(9);
  if (text[8] !== "\n" || crc32c(utf8Encode(body)) !== Number.parseInt(text.slice(0, 8), 16)) {
    throw new CorruptStoreError("corrupt_index_exception", `checksum failed (resource=${path})`);
  }
  return JSON.parse(body) as Commit;
}

/**
 * Writes a commit durably. When `isGivenUp` returns true the manifest is not renamed into place: the folder may belong
 * to another copy by then.
 */
export async function writeCommit(
  disk: Disk,
  folder: string,
  commit: Commit,
  isGivenUp: () => boolean,
): Promise<void> {
  const pending = `${folder}/pending_${commitFile(commit.generation)}`;
  disk.write(pending, encodeCommit(commit));
  await disk.sync([pending]);
  if (isGivenUp()) return;
  disk.rename(pending, `${folder}/${commitFile(commit.generation)}`);
  await disk.syncFolder(folder);
}

/** Every file of a commit but its manifest. */
export function filesOf(commit: Commit): StoredFile[] {
  return commit.segments.flatMap((segment) =>
    segment.live === undefined ? segment.files : [...segment.files, segment.live],
  );
}

/** Removes every file of the folder that no commit of the list needs. */
export function removeUnneeded(disk: Disk, folder: string, commits: readonly Commit[]): void {
  const needed = new Set(commits.flatMap(filesOf).map(({ name }) => name));
  for (const { generation } of commits) needed.add(commitFile(generation));
  for (const name of disk.list(folder)) if (!needed.has(name)) disk.remove(`${folder}/${name}`);
}
