/** Shard of a document that clients write without a routing value, as the cluster routes it. */
import { hashRouting } from "@orrery/stdx";
import type { World } from "../world.ts";
import type { Address } from "./final-reads.ts";

/** Number of the shard; `undefined` if no running node has the index. */
export async function shardOfDocument(
  world: World,
  cluster: string,
  { index, document }: Address,
): Promise<number | undefined> {
  const [node = ""] = world.running(cluster);
  const found = (await world.view(node))?.indices.get(index);
  if (found === undefined) return undefined;
  const { numberOfShards, routingNumShards } = found;
  const slot = ((hashRouting(document) % routingNumShards) + routingNumShards) % routingNumShards;
  return Math.floor(slot / (routingNumShards / numberOfShards));
}
