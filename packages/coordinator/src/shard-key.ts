/** How a shard is named: on frames, and in the product's messages. */
import type { IndexUuid } from "@orrery/stdx";

/** By which a node finds the shard worker that hosts it. */
export function shardKey(indexUuid: IndexUuid, shard: number): string {
  return `${indexUuid}/${shard}`;
}

/** `[index][0]`, as `ShardId.toString` prints it. */
export function shardName(index: string, shard: number): string {
  return `[${index}][${shard}]`;
}
