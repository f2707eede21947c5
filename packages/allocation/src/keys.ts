/** Keys of shards and copies in the maps of `AllocationInputs`. */
import type { ClusterState, ShardRouting } from "@orrery/cluster-state";
import type { NodeId } from "@orrery/stdx";

/** The key of a shard: `books/0`. */
export function shardKey(index: string, shard: number): string {
  return `${index}/${shard}`;
}

/** The key of a size, as in the product's cluster info: `[books][0][p]`. */
export function shardSizeKey(routing: Pick<ShardRouting, "index" | "shard" | "primary">): string {
  return `[${routing.index}][${routing.shard}][${routing.primary ? "p" : "r"}]`;
}

/** Nodes that are in both states as different incarnations (`ephemeralId`): they have restarted in between. */
export function replacedNodes(before: ClusterState, after: ClusterState): readonly NodeId[] {
  return [...after.nodes.values()]
    .filter((node) => {
      const old = before.nodes.get(node.id);
      return old !== undefined && old.ephemeralId !== node.ephemeralId;
    })
    .map((node) => node.id);
}
