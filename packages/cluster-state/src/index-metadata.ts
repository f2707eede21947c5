/** Index metadata derived from settings: numbers of shards, replicas and routing shards, and the rules between them. */
import type { Problem } from "@orrery/stdx";
import { indexSetting } from "./settings/registry.ts";
import type { IndexMetadata, Settings } from "./types.ts";

/** Metadata with other settings, and the number of replicas that follows; version counters are the caller's. */
export function withSettings(metadata: IndexMetadata, settings: Settings): IndexMetadata {
  const next = { ...metadata, settings };
  return { ...next, numberOfReplicas: indexSetting(next, "index.number_of_replicas") };
}

/** Default number of routing shards: the shards times the greatest power of two that keeps it at 1024 or below, at least doubled. */
export function defaultRoutingShards(numberOfShards: number): number {
  const log2Shards = 32 - Math.clz32(numberOfShards - 1);
  const splits = Math.max(1, 10 - log2Shards);
  return numberOfShards * 2 ** splits;
}

/**
 * The violated rule between number of shards, of routing shards and routing partition size, of which a single setting
 * cannot be checked alone; undefined when all rules hold.
 */
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
