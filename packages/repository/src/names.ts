/** Names of blobs and folders. */
import { murmur3, utf8Encode } from "@orrery/stdx";
import type { RepositoryIndex, ShardFile, ShardPathType } from "./types.ts";

export const latestBlob = "index.latest";
const GENERATION = /^index-(\d+)$/;

export function dataBlob(generation: number): string {
  return `index-${generation}`;
}

/** Of `index-N`; `undefined` for any other name. */
export function generationOf(name: string): number | undefined {
  const found = GENERATION.exec(name)?.[1];
  return found === undefined ? undefined : Number(found);
}

export function infoBlob(uuid: string): string {
  return `snap-${uuid}.dat`;
}

export function globalBlob(uuid: string): string {
  return `meta-${uuid}.dat`;
}

export function shardIndexBlob(generation: string): string {
  return `index-${generation}`;
}

export function indexFolder(index: Pick<RepositoryIndex, "id">): string {
  return `indices/${index.id}`;
}

export function indexMetadataBlob(index: Pick<RepositoryIndex, "id">, blobId: string): string {
  return `${indexFolder(index)}/meta-${blobId}.dat`;
}

/** Where one shard's blobs are. Hashed paths spread shards over the name space of the store. */
export function shardFolder({ id, pathType }: RepositoryIndex, shard: number): string {
  const hash = (murmur3(utf8Encode(`${id}/${shard}`)) >>> 0).toString(16).padStart(8, "0");
  if (pathType === "HASHED_PREFIX") return `${hash}/indices/${id}/${shard}`;
  if (pathType === "HASHED_INFIX") return `indices/${hash}/${id}/${shard}`;
  return `indices/${id}/${shard}`;
}

/** Unknown words mean the fixed layout, as the product takes them until they matter. */
export function pathTypeOf(setting: string | undefined): ShardPathType {
  const given = setting?.toUpperCase();
  return given === "HASHED_PREFIX" || given === "HASHED_INFIX" ? given : "FIXED";
}

/** The blobs that hold a file's bytes, in order. */
export function partsOf({ blob, sizeBytes, partBytes }: ShardFile): readonly string[] {
  if (partBytes === 0 || sizeBytes <= partBytes) return [blob];
  const count = Math.ceil(sizeBytes / partBytes);
  return Array.from({ length: count }, (_, part) => `${blob}.part${part}`);
}

/** What a writer that died may have left, whatever the generation. */
export function isTemporary(name: string): boolean {
  return name.startsWith("pending-") || name.startsWith("tests-");
}
