/** Index metadata from settings: the counts that are read everywhere, and the rules between them. */
import type { Problem } from "@orrery/stdx";
import { indexSetting } from "./settings/registry.ts";
import type { IndexMetadata, Settings } from "./types.ts";

/** New settings on metadata, with everything that follows from them; the counters are the caller's. */
export function withSettings(metadata: IndexMetadata, settings: Settings): IndexMetadata {
  const next = { ...metadata, settings };
  return { ...next, numberOfReplicas: indexSetting(next, "index.number_of_replicas") };
}

/** As many as the index could be split into: the largest power of two times the shards, up to 1024. */
export function defaultRoutingShards(numberOfShards: number): number {
  const log2Shards = 32 - Math.clz32(numberOfShards - 1);
  const splits = Math.max(1, 10 - log2Shards);
  return numberOfShards * 2 ** splits;
}

/** Rules between numbers of shards, which no single setting can check. */
export function shardCountProblem(
  name: string,
  settings: Settings,
  routingNumShards: number,
): Problem | undefined {
  const source = { settings };
  const shards = indexSetting(source, "index.number_of_shards");
  if (routingNumShards < shards) {
    return illegal(
      `index.number_of_routing_shards [${routingNumShards}] must be >= index.number_of_shards [${shards}]`,
    );
  }
  if (routingNumShards % shards !== 0) {
    return illegal(
      `the number of source shards [${shards}] must be a factor of [${routingNumShards}]`,
    );
  }
  const partition = indexSetting(source, "index.routing_partition_size");
  if (partition !== 1 && partition >= routingNumShards) {
    return illegal(
      `routing partition size [${partition}] should be a positive number less than the number of shards [${routingNumShards}] for [${name}]`,
    );
  }
  return undefined;
}

function illegal(reason: string): Problem {
  return { type: "illegal_argument_exception", reason, status: 400 };
}
