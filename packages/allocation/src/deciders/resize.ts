/**
 * `resize`: a clone or split links the files of its source, so its primary is allocated to the node of the active
 * source primary (`ResizeAllocationDecider`).
 */
import type { ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Verdict } from "../decision.ts";
import { printShardId } from "../print-shard.ts";
import { activePrimaryOf, indexMetadataOf, type RoutingNode } from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

const LABEL = "resize";

export const resize: Decider = {
  canAllocate: decide,
  canAllocateAnywhere: (copy, allocation) => decide(copy, undefined, allocation),
  canForcePrimary: decide,
};

function decide(
  copy: ShardRouting,
  node: RoutingNode | undefined,
  { routing, state }: Allocation,
): Verdict | undefined {
  const source = copy.recoverySource;
  if (copy.unassignedInfo === undefined || source?.type !== "LOCAL_SHARDS") return undefined;
  const origin = state.metadata.indices.get(source.sourceIndex);
  if (origin === undefined) {
    return no(LABEL, () => `resize source index [${source.sourceIndex}] doesn't exists`);
  }
  const target = indexMetadataOf(routing, copy.index);
  if (target.numberOfShards < origin.numberOfShards) return undefined;
  const factor = target.numberOfShards / origin.numberOfShards;
  const sourceShard = Math.floor(copy.shard / factor);
  const primary = activePrimaryOf(routing, origin.name, sourceShard);
  if (primary === undefined) {
    const name = printShardId({ index: origin.name, shard: sourceShard });
    return no(LABEL, () => `source primary shard [${name}] is not active`);
  }
  if (node === undefined) return yes(LABEL, () => "source primary is active");
  return primary.nodeId === node.node.id
    ? yes(LABEL, () => "source primary is allocated on this node")
    : no(LABEL, () => "source primary is allocated on another node");
}
