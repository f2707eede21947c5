/** Names of blobs and folders in a repository (`BlobStoreRepository`). */
import { murmur3, utf8Encode } from "@orrery/stdx";
import type { RepositoryIndex, ShardFile, ShardPathType } from "./types.ts";

/** The blob with the number of the newest generation, in 8 bytes. */
export const latestBlob = "index.latest";
const GENERATION = /^index-(\d+)$/;

/** Name of the repository data of a generation. */
export function dataBlob(generation: number): string {
  return `index-${generation}`;
}

/** The generation N of a blob `index-N`; undefined for any other name. */
export function generationOf(name: string): number | undefined {
  const found = GENERATION.exec(name)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Name of the info of a snapshot, at the root and, for each shard, in its folder. */
export function infoBlob(uuid: string): string {
  return `snap-${uuid}.dat`;
}

/** Name of the global metadata of a snapshot. */
export function globalBlob(uuid: string): string {
  return `meta-${uuid}.dat`;
}

/** Name of a shard's index, in the shard's folder. */
export function shardIndexBlob(generation: string): string {
  return `index-${generation}`;
}

/** Folder of an index's metadata blobs. */
export function indexFolder(index: Pick<RepositoryIndex, "id">): string {
  return `indices/${index.id}`;
}

/** Path of a metadata blob of an index. */
export function indexMetadataBlob(index: Pick<RepositoryIndex, "id">, blobId: string): string {
  return `${indexFolder(index)}/meta-${blobId}.dat`;
}

/** Folder of a shard's blobs. Hashed path types distribute shards over the key space of an object store. */
export function shardFolder({ id, pathType }: RepositoryIndex, shard: number): string {
  const hash = (murmur3(utf8Encode(`${id}/${shard}`)) >>> 0).toString(16).padStart(8, "0");
  if (pathType === "HASHED_PREFIX") return `${hash}/indices/${id}/${shard}`;
  if (pathType === "HASHED_INFIX") return `indices/${hash}/${id}/${shard}`;
  return `indices/${id}/${shard}`;
}

/** Path type of a setting; `FIXED` for unknown texts. */
export function pathTypeOf(setting: string | undefined): ShardPathType {
  const given = setting?.toUpperCase();
  return given === "HASHED_PREFIX" || given === "HASHED_INFIX" ? given : "FIXED";
}

/** Names of the blobs with a file's bytes, in order: one, or parts of `partBytes`. */
export function partsOf({ blob, sizeBytes, partBytes }: ShardFile): readonly string[] {
  if (partBytes === 0 || sizeBytes <= partBytes) return [blob];
  const count = Math.ceil(sizeBytes / partBytes);
  return Array.from({ length: count }, (_, part) => `${blob}.part${part}`);
}

/** Whether the name is that of a temporary blob or folder, which a crashed writer may have left; no generation references it. */
export function isTemporary(name: string): boolean {
  return name.startsWith("pending-") || name.startsWith("tests-");
}
