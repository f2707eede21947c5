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

/** A file is there already when one of the same name, length and checksum is. */
export function planShard<File extends LocalFile>(
  local: readonly File[],
  index: ShardIndex,
  { partBytes, newId }: { readonly partBytes: number; readonly newId: () => string },
): ShardPlan<File> {
  const known = new Map(index.files.map((file) => [keyOf(file), file]));
  const toWrite: { local: File; file: ShardFile }[] = [];
  const files = local.map((one): ShardFile => {
    const existing = known.get(keyOf(one));
    if (existing !== undefined) return existing;
    const { name, sizeBytes, checksum } = one;
    const file = { blob: `__${newId()}`, name, sizeBytes, checksum, partBytes };
    toWrite.push({ local: one, file });
    return file;
  });
  return { files, toWrite };
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
