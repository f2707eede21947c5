/**
 * Delayed allocation: a replica of a node that has left stays unassigned for a time, since the node may return with
 * its data (`DelayedAllocationService`).
 *
 * The elapsed time is counted by the elected cluster manager. The wall time in the state may be of another node's
 * clock, or of a clock that was set since.
 */
import {
  indexSetting,
  clusterSetting,
  type ClusterState,
  type ShardRouting,
} from "@orrery/cluster-state";
import { updateUnassigned } from "./moves.ts";
import type { Allocation } from "./allocation.ts";

/** The delay of the index's copies; 0 for none. The setting of the index has precedence over the cluster's. */
export function delayTimeoutMs(state: ClusterState, index: string): number {
  const key = "index.unassigned.node_left.delayed_timeout";
  const metadata = state.metadata.indices.get(index);
  if (metadata?.settings[key] !== undefined) return indexSetting(metadata, key);
  return clusterSetting(state, "cluster.routing.allocation.unassigned.node_left.delayed_timeout");
}

/** The rest of a copy's delay; 0 when it has expired. */
export function remainingDelayMs(allocation: Allocation, copy: ShardRouting): number {
  const { inputs, state } = allocation;
  const info = copy.unassignedInfo;
  if (info === undefined) return 0;
  const waitedMs = inputs.waitedMs?.(copy) ?? inputs.nowMs - info.atMs;
  return Math.max(0, delayTimeoutMs(state, copy.index) - waitedMs);
}

/** Clears the marker of copies whose delay has expired. */
export function removeDelayMarkers(allocation: Allocation): void {
  for (const copy of [...allocation.routing.unassigned]) {
    const info = copy.unassignedInfo;
    if (info?.delayed !== true || remainingDelayMs(allocation, copy) > 0) continue;
    updateUnassigned(allocation, copy, { ...info, delayed: false });
  }
}

/** Time until the first delay expires; `undefined` when no copy is delayed. */
export function nextDelayMs(allocation: Allocation): number | undefined {
  let next: number | undefined;
  for (const copies of [allocation.routing.unassigned, allocation.routing.ignored]) {
    for (const copy of copies) {
      if (copy.unassignedInfo?.delayed !== true) continue;
      const remaining = remainingDelayMs(allocation, copy);
      next = next === undefined ? remaining : Math.min(next, remaining);
    }
  }
  return next;
}
