/** Branded strings: an id of one thing cannot be passed where the id of another is meant. */
import { bytesToBase64Url } from "./bytes.ts";
import type { Random } from "./random.ts";

declare const brand: unique symbol;
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };

/** 22 characters, kept for the life of a node's data folder. */
export type NodeId = Brand<string, "NodeId">;
/** Identity of one shard copy on one node, new at each assignment. */
export type AllocationId = Brand<string, "AllocationId">;
/** 22 characters; a deleted and re-created index has another. */
export type IndexUuid = Brand<string, "IndexUuid">;

/** 22-character URL-safe base64 of 16 random bytes, as node ids and index uuids are. */
export function newUuid(random: Random): string {
  return bytesToBase64Url(random.bytes(16));
}

/** 20-character URL-safe base64 of 15 bytes: time first, so that ids of one moment lie together. */
export function newDocumentId(random: Random, nowMs: number): string {
  const bytes = random.bytes(15);
  let rest = nowMs;
  for (let i = 5; i >= 0; i -= 1) {
    bytes[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytesToBase64Url(bytes);
}
