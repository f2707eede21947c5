/**
 * Snapshots of one shard in a repository (`BlobStoreRepository.snapshotShard`): written, read, cloned, deleted.
 *
 * Contract: file contents are written first, then the snapshot's list of files, then the shard index of a new generation,
 * which the caller references in the next `index-N`. Until that is written nothing references any of it, so a crash
 * leaves only stale blobs (INV-SNAP-1).
 */
import type { BlobStore } from "@orrery/ports";
import { concatBytes } from "@orrery/stdx";
import { corrupt, decodeBlob, encodeBlob } from "./blob-format.ts";
import { infoBlob, partsOf, shardIndexBlob } from "./names.ts";
import {
  emptyShardIndex,
  missingPart,
  planShard,
  staleBlobs,
  withOnlyShardSnapshots,
  withShardSnapshot,
  type BlobSizes,
  type LocalFile,
} from "./plan.ts";
import type { Compression } from "./settings.ts";
import { shardIndex, shardSnapshot } from "./stored-shapes.ts";
import type { ShardFile, ShardIndex, ShardSnapshot } from "./types.ts";

/** A local file with its contents. */
export interface SourceFile extends LocalFile {
  read(): Uint8Array;
}

/** Progress of a shard's snapshot, for status requests. */
export interface ShardProgress {
  planned(stats: {
    readonly totalFiles: number;
    readonly totalBytes: number;
    readonly incrementalFiles: number;
    readonly incrementalBytes: number;
  }): void;
  written(file: LocalFile): void;
}

/** Parameters of a shard's snapshot. */
export interface ShardWrite {
  readonly folder: string;
  /** Shard generation to build on; null without an earlier snapshot of the shard. */
  readonly baseGeneration: string | null;
  readonly snapshot: { readonly name: string; readonly uuid: string };
  readonly files: readonly SourceFile[];
  readonly partBytes: number;
  readonly compression: Compression;
  readonly newId: () => string;
  readonly nowMs: () => number;
  readonly startTimeMs: number;
  /** Waits until `bytes` may be transferred under the rate limit. Rejects when the snapshot was aborted. */
  readonly pace: (bytes: number) => Promise<void>;
  readonly progress: ShardProgress;
}

/** Writes a snapshot of the shard; returns its new generation. */
export async function writeShardSnapshot(store: BlobStore, write: ShardWrite): Promise<string> {
  const { folder, snapshot, partBytes, compression, newId, pace, progress } = write;
  const index = await readShardIndex(store, folder, write.baseGeneration);
  // The shard index lists what was written, the folder what exists: a file whose blobs were lost is written again.
  const sizes = index.files.length === 0 ? noBlobs : await blobSizes(store, folder);
  const plan = planShard(write.files, index, { partBytes, newId, sizes });
  const incrementalBytes = plan.toWrite.reduce((sum, { file }) => sum + file.sizeBytes, 0);
  progress.planned({
    totalFiles: plan.files.length,
    totalBytes: plan.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    incrementalFiles: plan.toWrite.length,
    incrementalBytes,
  });
  for (const { local, file } of plan.toWrite) {
    await writeFile(store, folder, file, { bytes: local.read(), pace });
    progress.written(file);
  }
  // A last check for an abort, before the snapshot's list of files is written.
  await pace(0);
  const { startTimeMs } = write;
  const record: ShardSnapshot = {
    ...snapshot,
    startTimeMs,
    durationMs: write.nowMs() - startTimeMs,
    incrementalFiles: plan.toWrite.length,
    incrementalBytes,
    files: plan.files,
  };
  return commitShard(store, folder, { index, record, compression, newId });
}

const noBlobs: BlobSizes = new Map();

async function blobSizes(store: BlobStore, folder: string): Promise<BlobSizes> {
  const listed = await store.list(folder);
  return new Map(listed.map(({ name, sizeBytes }) => [name, sizeBytes]));
}

async function commitShard(
  store: BlobStore,
  folder: string,
  {
    index,
    record,
    compression,
    newId,
  }: {
    readonly index: ShardIndex;
    readonly record: ShardSnapshot;
    readonly compression: Compression;
    readonly newId: () => string;
  },
): Promise<string> {
  const blob = `${folder}/${infoBlob(record.uuid)}`;
  await store.write(blob, encodeBlob(record, compression, blob), { replace: true });
  const next = withShardSnapshot(index, record);
  return writeShardIndex(store, next, { folder, generation: newId(), compression });
}

const PIECE_BYTES = 64 * 1024;

async function writeFile(
  store: BlobStore,
  folder: string,
  file: ShardFile,
  { bytes, pace }: { readonly bytes: Uint8Array; readonly pace: ShardWrite["pace"] },
): Promise<void> {
  let at = 0;
  const parts = partsOf(file);
  for (const part of parts) {
    const end = parts.length === 1 ? bytes.length : Math.min(bytes.length, at + file.partBytes);
    for (let piece = at; piece < end; piece += PIECE_BYTES) {
      await pace(Math.min(PIECE_BYTES, end - piece));
    }
    // Replaces the blob of an interrupted attempt, or a damaged one; its name is drawn at random, so no other file has it.
    await store.write(`${folder}/${part}`, bytes.subarray(at, end), { replace: true });
    at = end;
  }
}

/** The shard index of a generation; the empty one for null. */
export async function readShardIndex(
  store: BlobStore,
  folder: string,
  generation: string | null,
): Promise<ShardIndex> {
  if (generation === null) return emptyShardIndex;
  const path = `${folder}/${shardIndexBlob(generation)}`;
  return shardIndex(decodeBlob(await store.read(path), path), path);
}

async function writeShardIndex(
  store: BlobStore,
  index: ShardIndex,
  {
    folder,
    generation,
    compression,
  }: {
    readonly folder: string;
    readonly generation: string;
    readonly compression: Compression;
  },
): Promise<string> {
  const path = `${folder}/${shardIndexBlob(generation)}`;
  await store.write(path, encodeBlob(index, compression, path));
  return generation;
}

/** The list of files of one snapshot of the shard. */
export async function readShardSnapshot(
  store: BlobStore,
  folder: string,
  uuid: string,
): Promise<ShardSnapshot> {
  const path = `${folder}/${infoBlob(uuid)}`;
  return shardSnapshot(decodeBlob(await store.read(path), path), path);
}

/** The bytes of one file, joined from its parts. The caller verifies length and checksum. */
export async function readShardFile(
  store: BlobStore,
  folder: string,
  file: ShardFile,
  pace: (bytes: number) => Promise<void>,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (const part of partsOf(file)) {
    const piece = await store.read(`${folder}/${part}`);
    for (let at = 0; at < piece.length; at += PIECE_BYTES) {
      await pace(Math.min(PIECE_BYTES, piece.length - at));
    }
    pieces.push(piece);
  }
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : concatBytes(pieces);
}

/** Parameters of a clone of one shard. */
export interface ShardClone {
  readonly folder: string;
  readonly generation: string | null;
  readonly sourceUuid: string;
  readonly target: { readonly name: string; readonly uuid: string };
  readonly compression: Compression;
  readonly newId: () => string;
  readonly nowMs: number;
}

/** Adds a snapshot that references the files of another; no file is copied. Returns the shard's new generation. Throws `corrupt_index_exception` when a file's blobs are incomplete. */
export async function cloneShard(store: BlobStore, clone: ShardClone): Promise<string> {
  const { folder, target, compression, newId } = clone;
  const index = await readShardIndex(store, folder, clone.generation);
  const source = await readShardSnapshot(store, folder, clone.sourceUuid);
  const sizes = await blobSizes(store, folder);
  for (const file of source.files) {
    const gone = missingPart(file, sizes);
    if (gone !== undefined) throw corrupt(`${folder}/${gone}`, "it is not there as it was written");
  }
  const record: ShardSnapshot = {
    ...source,
    ...target,
    startTimeMs: clone.nowMs,
    durationMs: 0,
    incrementalFiles: 0,
    incrementalBytes: 0,
  };
  return commitShard(store, folder, { index, record, compression, newId });
}

/** A shard after a deletion of snapshots. */
export interface PrunedShard {
  /** The new generation, the former one if no snapshot was removed, or null if none is left. */
  readonly generation: string | null;
  /** Paths that are stale once the next `index-N` is in force. */
  readonly stale: readonly string[];
}

/** Writes a shard generation with the surviving snapshots only, and finds the blobs that are stale then; it removes nothing. */
export async function pruneShard(
  store: BlobStore,
  prune: {
    readonly folder: string;
    readonly generation: string | null;
    readonly survivors: ReadonlySet<string>;
    readonly compression: Compression;
    readonly newId: () => string;
  },
): Promise<PrunedShard> {
  const { folder, survivors, compression, newId } = prune;
  const before = await readShardIndex(store, folder, prune.generation);
  const after = withOnlyShardSnapshots(before, survivors);
  const isSame = after.snapshots.length === before.snapshots.length;
  const generation = isSame
    ? prune.generation
    : after.snapshots.length === 0
      ? null
      : await writeShardIndex(store, after, { folder, generation: newId(), compression });
  const listed = (await store.list(folder)).map(({ name }) => name);
  const stale = staleBlobs(listed, after, generation).map((name) => `${folder}/${name}`);
  return { generation, stale };
}
