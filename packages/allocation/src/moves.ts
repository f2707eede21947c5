/**
 * The transitions of a copy: initialize, start, relocate, cancel. Each records the changes for the metadata
 * (`RoutingNodes`, `RoutingChangesObserver`).
 */
import {
  isRelocationTarget,
  type AllocationStatus,
  type ShardRouting,
  type UnassignedInfo,
} from "@orrery/cluster-state";
import { assert, defined, type AllocationId, type NodeId } from "@orrery/stdx";
import { changesOf, type Allocation } from "./allocation.ts";
import { assignedCopies, copyOn, replaceCopy, targetOf } from "./routing-nodes.ts";

/**
 * Assigns an unassigned copy to a node. `existingId`: the allocation id of the copy on disk that a primary recovers.
 */
export function initializeCopy(
  allocation: Allocation,
  copy: ShardRouting,
  nodeId: NodeId,
  existingId?: AllocationId,
): ShardRouting {
  assert(copy.state === "UNASSIGNED", "only an unassigned copy is initialized");
  assert(
    assignedCopies(allocation.routing, copy.index, copy.shard).every(
      (other) => other.nodeId !== nodeId,
    ),
    "INV-ALLOC-1: a node holds at most one copy of a shard",
  );
  const next: ShardRouting = {
    ...copy,
    state: "INITIALIZING",
    nodeId,
    allocationId: existingId ?? allocation.inputs.newAllocationId(),
  };
  if (next.primary) {
    const changes = changesOf(allocation, next);
    changes.increasesTerm = true;
    changes.initializedPrimary = next;
  }
  return replaceCopy(allocation.routing, copy, next);
}

/** Marks a copy as started, as its node has reported. At the end of a relocation, the source is removed. */
export function startCopy(allocation: Allocation, copy: ShardRouting): void {
  assert(copy.state === "INITIALIZING", "only an initializing copy is started");
  const { routing } = allocation;
  const started: ShardRouting = {
    ...copy,
    state: "STARTED",
    relocatingNodeId: undefined,
    relocationId: undefined,
    recoverySource: undefined,
    unassignedInfo: undefined,
  };
  const changes = changesOf(allocation, copy);
  const source = copy.recoverySource;
  if (copy.primary && source?.type === "EXISTING_STORE" && source.bootstrapNewHistoryUuid) {
    changes.removedIds.add(FORCED_ALLOCATION_ID);
  }
  changes.addedIds.add(defined(copy.allocationId, "allocation id of a started copy"));
  if (!isRelocationTarget(copy)) {
    replaceCopy(routing, copy, started);
    return;
  }
  const moved = sourceOf(allocation, copy);
  changes.removedIds.add(defined(moved.allocationId, "allocation id of a relocation source"));
  replaceCopy(routing, moved, started);
  if (started.primary) restartReplicaRecoveries(allocation, started);
}

/**
 * Placeholder in the in-sync set while a stale copy that was made primary by force recovers
 * (`RecoverySource.ExistingStoreRecoverySource.FORCED_ALLOCATION_ID`).
 */
export const FORCED_ALLOCATION_ID: AllocationId = "_forced_allocation_" as AllocationId;

function sourceOf({ routing }: Allocation, target: ShardRouting): ShardRouting {
  const nodeId = defined(target.relocatingNodeId, "source node of a relocation");
  return defined(copyOn(routing, nodeId, target.index, target.shard), "relocation source");
}

/** Replicas that were recovering from the primary's old node start again, with new allocation ids, from its new one. */
function restartReplicaRecoveries(allocation: Allocation, primary: ShardRouting): void {
  const { routing, inputs } = allocation;
  for (const copy of assignedCopies(routing, primary.index, primary.shard)) {
    if (copy.primary || copy.state !== "INITIALIZING") continue;
    if (isRelocationTarget(copy)) {
      const toNode = defined(copy.nodeId, "node of a relocation target");
      const source = cancelRelocation(allocation, sourceOf(allocation, copy));
      relocateCopy(allocation, source, toNode);
    } else {
      replaceCopy(routing, copy, { ...copy, allocationId: inputs.newAllocationId() });
    }
  }
}

/** Starts the relocation of a started copy; the result is the target. */
export function relocateCopy(
  allocation: Allocation,
  copy: ShardRouting,
  toNode: NodeId,
): ShardRouting {
  assert(copy.state === "STARTED", "only a started copy is relocated");
  const next = replaceCopy(allocation.routing, copy, {
    ...copy,
    state: "RELOCATING",
    relocatingNodeId: toNode,
    relocationId: allocation.inputs.newAllocationId(),
  });
  return defined(targetOf(allocation.routing, next), "relocation target");
}

/** Returns a relocating copy to STARTED and removes its target. */
export function cancelRelocation(allocation: Allocation, copy: ShardRouting): ShardRouting {
  assert(copy.state === "RELOCATING", "only a relocating copy stays after all");
  return replaceCopy(allocation.routing, copy, {
    ...copy,
    state: "STARTED",
    relocatingNodeId: undefined,
    relocationId: undefined,
  });
}

/** Replaces the reason of an unassigned copy, and its recovery source if given. */
export function updateUnassigned(
  allocation: Allocation,
  copy: ShardRouting,
  info: UnassignedInfo,
  recoverySource: ShardRouting["recoverySource"] = copy.recoverySource,
): ShardRouting {
  assert(copy.state === "UNASSIGNED", "only an unassigned copy waits for a reason");
  return replaceCopy(allocation.routing, copy, {
    ...copy,
    recoverySource,
    unassignedInfo: info,
  });
}

/**
 * Excludes an unassigned copy from the rest of the round, with the status of the attempt, which only a primary records.
 */
export function ignoreCopy(
  allocation: Allocation,
  copy: ShardRouting,
  status: AllocationStatus,
): void {
  const { routing } = allocation;
  const info = defined(copy.unassignedInfo, "unassigned info");
  const isNews = copy.primary && info.lastAllocationStatus !== status;
  const ignored = isNews
    ? updateUnassigned(allocation, copy, { ...info, lastAllocationStatus: status })
    : copy;
  routing.unassigned.delete(ignored);
  routing.ignored.add(ignored);
}
