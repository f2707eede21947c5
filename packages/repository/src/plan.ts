/** Decisions about one shard's files: what is there already, what has to be written, what nobody needs any more. Pure. */
import { infoBlob, partsOf, shardIndexBlob } from "./names.ts";
import type { ShardFile, ShardIndex, ShardSnapshot } from "./types.ts";

export const emptyShardIndex: ShardIndex = { snapshots: [], files: [] };

/** A file as the shard has it on disk. */
export interface LocalFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly checksum: number;
}

export interface ShardPlan<File extends LocalFile> {
  /** Every file of the snapshot, in the order of the shard's. */
  readonly files: readonly ShardFile[];
  readonly toWrite: readonly { readonly local: File; readonly file: ShardFile }[];
}

/**
 * A file is there already when one of the same name, length and checksum is, and its blobs are whole. Blobs that are gone are written
 * again under the names that they have, which makes earlier snapshots whole, too.
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
    /** Of the blobs that are there. */
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

/** Bytes of each blob in a shard's folder. */
export type BlobSizes = ReadonlyMap<string, number>;

/** The first blob of a file that is not there in its full length. */
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

/** With one more snapshot; an earlier attempt at the same one is replaced. */
export function withShardSnapshot(
  index: ShardIndex,
  { name, uuid, files }: Pick<ShardSnapshot, "name" | "uuid" | "files">,
): ShardIndex {
  const others = index.snapshots.filter((snapshot) => snapshot.uuid !== uuid);
  const snapshots = [...others, { name, uuid, files: files.map(({ blob }) => blob) }];
  return withNeededFiles(snapshots, [...index.files, ...files]);
}

/** What snapshots left behind that were aborted or failed after the shard was done goes with those that are deleted. */
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

/** Blobs of a shard's folder that this generation does not lead to. */
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
