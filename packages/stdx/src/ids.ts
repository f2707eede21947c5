/** Branded strings: the id of one kind of thing does not compile where that of another is expected. */
import { bytesToBase64Url } from "./bytes.ts";
import type { Random } from "./random.ts";

declare const brand: unique symbol;
/** A `Base` that only compiles where the same `Name` is expected. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };

/** The identity of a node: 22 characters, kept for the life of its data folder. */
export type NodeId = Brand<string, "NodeId">;
/** The identity of one shard copy on one node, new at each assignment. */
export type AllocationId = Brand<string, "AllocationId">;
/** The identity of an index: 22 characters; an index that is deleted and created again has another. */
export type IndexUuid = Brand<string, "IndexUuid">;

/** 22 characters of URL-safe base64, of 16 random bytes. */
export function newUuid(random: Random): string {
  return bytesToBase64Url(random.bytes(16));
}

/** 20 characters of URL-safe base64, of 15 bytes; the first 6 are the time, so that ids of one moment are adjacent. */
export function newDocumentId(random: Random, nowMs: number): string {
  const bytes = random.bytes(15);
  let rest = nowMs;
  for (let i = 5; i >= 0; i -= 1) {
    bytes[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytesToBase64Url(bytes);
}
