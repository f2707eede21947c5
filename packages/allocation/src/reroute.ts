/** The allocation round: one call, one delta (`AllocationService`). */
import {
  applyRoutingDelta,
  isRelocationTarget,
  surplusReplica,
  type ClusterState,
  type IndexMetadata,
  type ShardRouting,
  type UnassignedInfo,
} from "@orrery/cluster-state";
import { defined, type AllocationId, type NodeId } from "@orrery/stdx";
import { changesOf, createAllocation, ignoreNode, type Allocation } from "./allocation.ts";
import { allocateUnassigned } from "./balancer/allocate-unassigned.ts";
import { createModel } from "./balancer/model.ts";
import { moveShards } from "./balancer/move-shards.ts";
import { rebalance } from "./balancer/rebalance.ts";
import { delayTimeoutMs, nextDelayMs, removeDelayMarkers } from "./delay.ts";
import { deltaOf } from "./delta.ts";
import { allocateExisting } from "./existing/allocate.ts";
import { failCopy } from "./fail-copy.ts";
import { startCopy, updateUnassigned } from "./moves.ts";
import { byAllocationId, copiesHeld, indexMetadataOf, removeCopy, rowOf } from "./routing-nodes.ts";
import { isSettled, rememberSettled } from "./settled.ts";
import type { AllocationInputs, FailedShard, RerouteResult } from "./types.ts";

/**
 * Runs a round on a state. Its order is that of the product:
 *
 * 1. Copies on dead nodes fail, then copies that were reported as failed; stale allocation ids leave their in-sync
 *    sets.
 * 2. Surplus replicas are removed.
 * 3. Copies that were reported as started are started.
 * 4. `place`: allocation of unassigned copies, forced moves, rebalancing.
 *
 * Failures precede starts, so that a copy on a dead node is never started. A round without changes costs little: see
 * `settled.ts`.
 */
export function reroute(state: ClusterState, inputs: AllocationInputs): RerouteResult {
  if (isSettled(state, inputs)) {
    return { state, delta: undefined, needs: [], nextDelayMs: undefined };
  }
  const allocation = createAllocation(state, inputs);
  disassociateDeadNodes(allocation);
  applyFailed(allocation);
  applyStale(allocation);
  removeSurplus(allocation);
  applyStarted(allocation);
  if (inputs.retryFailed === true) resetFailedCounters(allocation);
  place(allocation);
  const result = resultOf(allocation);
  if (result.delta === undefined && result.needs.length === 0) rememberSettled(allocation);
  return result;
}

/** Assigns unassigned copies, moves copies that may not remain, and rebalances. */
export function place(allocation: Allocation): void {
  const { routing } = allocation;
  removeDelayMarkers(allocation);
  if (routing.unassigned.size + routing.initializing.size > 0) allocateExisting(allocation);
  if (routing.nodes.size === 0) return;
  const model = createModel(allocation);
  if (routing.unassigned.size > 0) allocateUnassigned(model);
  moveShards(model);
  rebalance(model);
}

/** The result of a round: its delta, the state with the delta applied, missing store data, and the next delay. */
export function resultOf(allocation: Allocation): RerouteResult {
  const { before: state, needs } = allocation;
  const delta = deltaOf(allocation);
  return {
    state: delta === undefined ? state : applyRoutingDelta(state, delta),
    delta,
    needs: [...needs.values()],
    nextDelayMs: nextDelayMs(allocation),
  };
}

function disassociateDeadNodes(allocation: Allocation): void {
  const { routing, inputs } = allocation;
  const replaced = new Set(inputs.replacedNodeIds);
  const dead = [...routing.copiesByNode].filter(
    ([id]) => !routing.nodes.has(id) || replaced.has(id),
  );
  for (const [nodeId, copies] of dead) {
    for (const copy of copiesHeld(copies)) {
      const now = byAllocationId(routing, copy.index, copy.shard, copy.allocationId);
      if (now?.nodeId === nodeId) failCopy(allocation, now, nodeLeftInfo(allocation, now, nodeId));
    }
  }
}

function nodeLeftInfo(
  { state, inputs }: Allocation,
  copy: ShardRouting,
  nodeId: NodeId,
): UnassignedInfo {
  return {
    reason: "NODE_LEFT",
    atMs: inputs.nowMs,
    delayed: delayTimeoutMs(state, copy.index) > 0,
    failedAllocations: 0,
    failedNodeIds: [],
    lastAllocationStatus: "no_attempt",
    details: `node_left [${nodeId}]`,
  };
}

function applyFailed(allocation: Allocation): void {
  for (const failed of allocation.inputs.failed ?? []) applyOneFailed(allocation, failed);
}

function applyOneFailed(
  allocation: Allocation,
  { routing: reported, message, markAsStale }: FailedShard,
): void {
  const { index, shard, allocationId, nodeId } = reported;
  if (nodeId !== undefined) ignoreNode(allocation, reported, nodeId);
  const copy = byAllocationId(allocation.routing, index, shard, allocationId);
  if (copy?.nodeId === undefined) return;
  const before = copy.unassignedInfo;
  if (markAsStale) changesOf(allocation, copy).removedIds.add(idOf(copy));
  failCopy(allocation, copy, {
    reason: "ALLOCATION_FAILED",
    atMs: allocation.inputs.nowMs,
    delayed: false,
    failedAllocations: (before?.failedAllocations ?? 0) + 1,
    failedNodeIds: before === undefined ? [] : [...new Set([...before.failedNodeIds, copy.nodeId])],
    lastAllocationStatus: "no_attempt",
    details: `failed shard on node [${copy.nodeId}]: ${message}`,
  });
}

function idOf(copy: ShardRouting): AllocationId {
  return defined(copy.allocationId, "allocation id of an assigned copy");
}

/** Removes allocation ids without a copy from in-sync sets. The last id of a set always stays. */
function applyStale(allocation: Allocation): void {
  for (const { index, shard, allocationId } of allocation.inputs.stale ?? []) {
    const metadata = allocation.state.metadata.indices.get(index);
    const isHeld = byAllocationId(allocation.routing, index, shard, allocationId) !== undefined;
    const copy = allocation.routing.shards.get(`${index}/${shard}`)?.[0];
    if (metadata === undefined || copy === undefined || isHeld) continue;
    if (isRemovable(allocation, metadata, copy, allocationId)) {
      const { removedIds, staleIds } = changesOf(allocation, copy);
      removedIds.add(allocationId);
      staleIds.add(allocationId);
    }
  }
}

function isRemovable(
  allocation: Allocation,
  metadata: IndexMetadata,
  copy: ShardRouting,
  allocationId: AllocationId,
): boolean {
  const inSync = metadata.inSyncAllocationIds[copy.shard] ?? [];
  const { removedIds } = changesOf(allocation, copy);
  const others = inSync.filter((id) => id !== allocationId && !removedIds.has(id));
  return inSync.includes(allocationId) && others.length > 0;
}

/**
 * Removes replicas beyond the configured number, which `auto_expand_replicas` lowers when nodes leave. Failed copies
 * go first, so this must come after the failures; an active replica may have become the primary by then.
 */
function removeSurplus({ state, routing }: Allocation): void {
  for (const { index, shards } of state.routingTable.values()) {
    const most = 1 + indexMetadataOf(routing, index).numberOfReplicas;
    for (const [shard, copies] of shards.entries()) {
      for (let tooMany = copies.length - most; tooMany > 0; tooMany -= 1) {
        removeCopy(routing, surplusReplica(rowOf(routing, index, shard)));
      }
    }
  }
}

/** Reports of copies that are gone or started already are ignored. */
function applyStarted(allocation: Allocation): void {
  for (const { index, shard, allocationId } of allocation.inputs.started ?? []) {
    const copy = byAllocationId(allocation.routing, index, shard, allocationId);
    if (copy?.state === "INITIALIZING" && isStartable(allocation, copy)) {
      startCopy(allocation, copy);
    }
  }
}

/** A relocation can end only while its source exists. */
function isStartable({ routing }: Allocation, copy: ShardRouting): boolean {
  if (!isRelocationTarget(copy)) return true;
  return byAllocationId(routing, copy.index, copy.shard, copy.relocationId) !== undefined;
}

/** `retry_failed`: unassigned copies get all of their attempts again. */
export function resetFailedCounters(allocation: Allocation): void {
  for (const copy of [...allocation.routing.unassigned]) {
    const info = copy.unassignedInfo;
    if (info === undefined || info.failedAllocations === 0) continue;
    const reason = "MANUAL_ALLOCATION";
    updateUnassigned(allocation, copy, {
      ...info,
      reason,
      failedAllocations: 0,
      failedNodeIds: [],
    });
  }
}
