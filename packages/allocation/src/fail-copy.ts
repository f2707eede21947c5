/** The failure of a copy: which rows become unassigned, which replica becomes primary (`RoutingNodes.failShard`). */
import {
  compareVersions,
  indexSetting,
  isActive,
  isRelocationTarget,
  type ShardRouting,
  type UnassignedInfo,
} from "@orrery/cluster-state";
import { assert, defined } from "@orrery/stdx";
import { changesOf, type Allocation } from "./allocation.ts";
import { cancelRelocation } from "./moves.ts";
import {
  assignedCopies,
  byAllocationId,
  copyOn,
  indexMetadataOf,
  replaceCopy,
  targetOf,
} from "./routing-nodes.ts";

/**
 * Fails a copy, which must be a current row of the round or its relocation target.
 *
 * 1. With a primary, replicas that recover from it fail first, so that no step sees them without a primary.
 * 2. The source of a failed relocation target returns to STARTED.
 * 3. A failed primary is succeeded by an active replica, if there is one, under a higher primary term.
 */
export function failCopy(allocation: Allocation, copy: ShardRouting, info: UnassignedInfo): void {
  assert(copy.nodeId !== undefined, "only an assigned copy fails");
  if (copy.primary) failRecoveringReplicas(allocation, copy, info);
  if (isRelocationTarget(copy)) {
    const source = copyOn(
      allocation.routing,
      defined(copy.relocatingNodeId, "source node of a relocation"),
      copy.index,
      copy.shard,
    );
    cancelRelocation(allocation, defined(source, "relocation source"));
    return;
  }
  if (copy.primary) failPrimary(allocation, copy, info);
  else failReplica(allocation, copy, info);
}

/** Initializing replicas lose their recovery source together with the primary. */
function failRecoveringReplicas(
  allocation: Allocation,
  primary: ShardRouting,
  info: UnassignedInfo,
): void {
  const { routing } = allocation;
  const replicas = assignedCopies(routing, primary.index, primary.shard).filter(
    (copy) => !copy.primary && copy.state === "INITIALIZING",
  );
  for (const replica of replicas) {
    const copy = byAllocationId(routing, replica.index, replica.shard, replica.allocationId);
    if (copy === undefined) continue;
    failCopy(allocation, copy, {
      ...info,
      reason: "PRIMARY_FAILED",
      details: "primary failed while replica initializing",
      failedAllocations: 0,
      failedNodeIds: [],
      delayed: false,
      lastAllocationStatus: "no_attempt",
    });
  }
}

/** A moving replica continues at its target, as an ordinary recovery. */
function failReplica(allocation: Allocation, copy: ShardRouting, info: UnassignedInfo): void {
  const target = targetOf(allocation.routing, copy);
  if (target === undefined) {
    replaceCopy(allocation.routing, copy, toUnassigned(copy, info));
    return;
  }
  replaceCopy(allocation.routing, copy, {
    ...target,
    relocatingNodeId: undefined,
    relocationId: undefined,
    recoverySource: { type: "PEER" },
    unassignedInfo: info,
  });
}

function failPrimary(allocation: Allocation, copy: ShardRouting, info: UnassignedInfo): void {
  const { routing } = allocation;
  if (isActive(copy)) {
    const changes = changesOf(allocation, copy);
    changes.firstFailedPrimary ??= copy;
    changes.increasesTerm = true;
  }
  const successor = bestReplica(allocation, copy);
  if (successor === undefined) {
    replaceCopy(routing, copy, toUnassigned(copy, info));
    return;
  }
  const demoted: ShardRouting = {
    ...toUnassigned(copy, info),
    primary: false,
    recoverySource: { type: "PEER" },
  };
  replaceCopy(routing, copy, demoted);
  replaceCopy(routing, successor, { ...successor, primary: true });
  changesOf(allocation, copy).increasesTerm = true;
}

/**
 * The successor of a primary: the active replica on the newest node. With segment replication that on the oldest
 * node, whose segments every replica can read.
 */
function bestReplica(allocation: Allocation, primary: ShardRouting): ShardRouting | undefined {
  const { routing, state } = allocation;
  const { index, shard } = primary;
  const isSegment =
    indexSetting(indexMetadataOf(routing, index), "index.replication.type").toUpperCase() ===
    "SEGMENT";
  const versionOf = (copy: ShardRouting): string =>
    (copy.nodeId === undefined ? undefined : state.nodes.get(copy.nodeId)?.version) ?? "0.0.0";
  const replicas = assignedCopies(routing, index, shard)
    .filter((copy) => !copy.primary && isActive(copy) && !isGone(allocation, copy))
    .toSorted((a, b) => compareVersions(versionOf(b), versionOf(a)));
  return isSegment ? replicas.at(-1) : replicas[0];
}

/** A copy on a node that has left fails in the same round and is no successor. */
function isGone({ state, inputs }: Allocation, { nodeId }: ShardRouting): boolean {
  if (nodeId === undefined || !state.nodes.has(nodeId)) return true;
  return inputs.replacedNodeIds?.includes(nodeId) === true;
}

function toUnassigned(copy: ShardRouting, info: UnassignedInfo): ShardRouting {
  const recovers: ShardRouting["recoverySource"] = copy.primary
    ? { type: "EXISTING_STORE", bootstrapNewHistoryUuid: false }
    : { type: "PEER" };
  return {
    ...copy,
    state: "UNASSIGNED",
    nodeId: undefined,
    relocatingNodeId: undefined,
    allocationId: undefined,
    relocationId: undefined,
    recoverySource: isActive(copy) ? recovers : copy.recoverySource,
    unassignedInfo: info,
  };
}
