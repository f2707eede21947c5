/** Plans for the files of one shard: which are in the repository already, which must be written, which blobs are stale. Pure. */
import { infoBlob, partsOf, shardIndexBlob } from "./names.ts";
import type { ShardFile, ShardIndex, ShardSnapshot } from "./types.ts";

/** The index of a shard without snapshots. */
export const emptyShardIndex: ShardIndex = { snapshots: [], files: [] };

/** A file of a commit point on the data node's disk. */
export interface LocalFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly checksum: number;
}

/** Plan of a shard's snapshot. */
export interface ShardPlan<File extends LocalFile> {
  /** All files of the snapshot, in the order of the commit point. */
  readonly files: readonly ShardFile[];
  readonly toWrite: readonly { readonly local: File; readonly file: ShardFile }[];
}

/**
 * The plan of an incremental snapshot: a file of the same name, length and checksum is not written again if its blobs
 * are complete. Missing or short blobs are written again under their names, which repairs earlier snapshots, too.
 */
export function planShard<File extends LocalFile>(
  local: readonly File[],
  index: ShardIndex,
  {
    partBytes,
    newId,
    sizes,
  }: {
    readonly partBytes: number;
    readonly newId: () => string;
    /** Sizes of the blobs in the shard's folder. */
    readonly sizes: BlobSizes;
  },
): ShardPlan<File> {
  const known = new Map(index.files.map((file) => [keyOf(file), file]));
  const toWrite: { local: File; file: ShardFile }[] = [];
  const files = local.map((one): ShardFile => {
    const existing = known.get(keyOf(one));
    if (existing !== undefined) {
      if (missingPart(existing, sizes) !== undefined) toWrite.push({ local: one, file: existing });
      return existing;
    }
    const { name, sizeBytes, checksum } = one;
    const file = { blob: `__${newId()}`, name, sizeBytes, checksum, partBytes };
    toWrite.push({ local: one, file });
    return file;
  });
  return { files, toWrite };
}

/** Sizes in bytes of the blobs in a shard's folder, by name. */
export type BlobSizes = ReadonlyMap<string, number>;

/** The first blob of a file that is missing or not of its full length; undefined for a complete file. */
export function missingPart(file: ShardFile, sizes: BlobSizes): string | undefined {
  const { sizeBytes, partBytes } = file;
  const parts = partsOf(file);
  return parts.find((part, i) => {
    const isLast = i === parts.length - 1;
    const wanted = isLast ? sizeBytes - i * partBytes : partBytes;
    return sizes.get(part) !== wanted;
  });
}

function keyOf({ name, sizeBytes, checksum }: LocalFile): string {
  return `${name}/${sizeBytes}/${checksum}`;
}

/** The shard's index with one more snapshot, which replaces an earlier attempt under the same uuid. */
export function withShardSnapshot(
  index: ShardIndex,
  { name, uuid, files }: Pick<ShardSnapshot, "name" | "uuid" | "files">,
): ShardIndex {
  const others = index.snapshots.filter((snapshot) => snapshot.uuid !== uuid);
  const snapshots = [...others, { name, uuid, files: files.map(({ blob }) => blob) }];
  return withNeededFiles(snapshots, [...index.files, ...files]);
}

/**
 * The shard's index with the surviving snapshots only. Snapshots that were aborted or failed after this shard was
 * written are not among `survivors`, and are left out, too.
 */
export function withOnlyShardSnapshots(
  index: ShardIndex,
  survivors: ReadonlySet<string>,
): ShardIndex {
  const left = index.snapshots.filter(({ uuid }) => survivors.has(uuid));
  return withNeededFiles(left, index.files);
}

function withNeededFiles(
  snapshots: ShardIndex["snapshots"],
  files: readonly ShardFile[],
): ShardIndex {
  const needed = new Set(snapshots.flatMap((snapshot) => snapshot.files));
  const byBlob = new Map(files.map((file) => [file.blob, file]));
  return { snapshots, files: [...byBlob.values()].filter(({ blob }) => needed.has(blob)) };
}

/** Listed blobs of a shard's folder that the index of this generation does not reference. */
export function staleBlobs(
  listed: readonly string[],
  index: ShardIndex,
  generation: string | null,
): readonly string[] {
  const needed = new Set([
    ...index.files.flatMap(partsOf),
    ...index.snapshots.map(({ uuid }) => infoBlob(uuid)),
    ...(generation === null ? [] : [shardIndexBlob(generation)]),
  ]);
  return listed.filter((name) => !needed.has(name));
}
