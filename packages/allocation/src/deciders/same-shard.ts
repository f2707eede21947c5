/**
 * `same_shard`: no two copies of a shard are on one node nor, if so set, on one host (`SameShardAllocationDecider`).
 */
import { clusterSetting, type ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Verdict } from "../decision.ts";
import { printShard } from "../print-shard.ts";
import { assignedCopies, type RoutingNode } from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

const LABEL = "same_shard";
const HOST_KEY = "cluster.routing.allocation.same_shard.host";

export const sameShard: Decider = { canAllocate: decide, canForcePrimary: decide };

function decide(copy: ShardRouting, node: RoutingNode, allocation: Allocation): Verdict {
  const assigned = assignedCopies(allocation.routing, copy.index, copy.shard);
  const here = assigned.find(({ nodeId }) => nodeId === node.node.id);
  if (here !== undefined) return refuse(copy, here);
  if (!clusterSetting(allocation.state, HOST_KEY)) {
    return yes(LABEL, () => "this node does not hold a copy of this shard");
  }
  return onOtherHost(copy, assigned, node, allocation);
}

function refuse(copy: ShardRouting, here: ShardRouting): Verdict {
  const isItself = here.allocationId === copy.allocationId;
  return no(LABEL, () =>
    isItself
      ? `this shard is already allocated to this node [${printShard(copy)}]`
      : `a copy of this shard is already allocated to this node [${printShard(here)}]`,
  );
}

/** The copy itself is ignored, since it leaves its place. */
function onOtherHost(
  copy: ShardRouting,
  assigned: readonly ShardRouting[],
  { node }: RoutingNode,
  { state }: Allocation,
): Verdict {
  for (const other of assigned) {
    if (other.allocationId === copy.allocationId || other.nodeId === undefined) continue;
    const holder = state.nodes.get(other.nodeId);
    if (holder === undefined) continue;
    const isSameAddress = holder.hostAddress !== "" && holder.hostAddress === node.hostAddress;
    if (!isSameAddress && (holder.hostName === "" || holder.hostName !== node.hostName)) continue;
    const [kind, host] = isSameAddress
      ? (["address", node.hostAddress] as const)
      : (["name", node.hostName] as const);
    return no(
      LABEL,
      () =>
        `a copy of this shard is already allocated to host ${kind} [${host}], on node [${holder.id}], and [${HOST_KEY}] is [true] which forbids more than one node on this host from holding a copy of this shard`,
    );
  }
  return yes(LABEL, () => "none of the nodes on this host hold a copy of this shard");
}
