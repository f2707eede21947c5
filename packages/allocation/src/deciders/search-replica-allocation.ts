/**
 * `search_replica_allocation`: search-only copies belong to search nodes, other copies to all other nodes
 * (`SearchReplicaAllocationDecider`).
 */
import type { ShardRouting } from "@orrery/cluster-state";
import { no, yes, type Verdict } from "../decision.ts";
import { printShard } from "../print-shard.ts";
import type { RoutingNode } from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

export const searchReplicaAllocation: Decider = { canAllocate: decide, canRemain: decide };

function decide(copy: ShardRouting, { node }: RoutingNode): Verdict {
  const isSearchNode = node.roles.includes("search");
  const text = (relation: string): string =>
    `node and shard are ${relation}. node: [${node.id}], is search node: [${isSearchNode}], shard: [${printShard(copy)}]`;
  const make = isSearchNode ? no : yes;
  return make("search_replica_allocation", () =>
    text(isSearchNode ? "not compatible" : "compatible"),
  );
}
