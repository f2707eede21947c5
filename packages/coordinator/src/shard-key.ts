/** Names of a shard: the key on transport frames, and the name in the product's messages. */
import type { IndexUuid } from "@orrery/stdx";

/** The key `uuid/shard` by which a node's router finds the shard worker that holds the copy. */
export function shardKey(indexUuid: IndexUuid, shard: number): string {
  return `${indexUuid}/${shard}`;
}

/** The name `[index][0]` of `ShardId.toString`. */
export function shardName(index: string, shard: number): string {
  return `[${index}][${shard}]`;
}
