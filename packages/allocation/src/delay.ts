/**
 * Delayed allocation: a replica whose node left waits for its return, as long as the elected cluster manager says that it
 * has known of it: the time in the state is another node's, or an earlier one of a clock that was set since.
 */
import {
  indexSetting,
  clusterSetting,
  type ClusterState,
  type ShardRouting,
} from "@orrery/cluster-state";
import { updateUnassigned } from "./moves.ts";
import type { Allocation } from "./allocation.ts";

/** How long copies of the index wait; 0 when they do not. */
export function delayTimeoutMs(state: ClusterState, index: string): number {
  const key = "index.unassigned.node_left.delayed_timeout";
  const metadata = state.metadata.indices.get(index);
  if (metadata?.settings[key] !== undefined) return indexSetting(metadata, key);
  return clusterSetting(state, "cluster.routing.allocation.unassigned.node_left.delayed_timeout");
}

export function remainingDelayMs(allocation: Allocation, copy: ShardRouting): number {
  const { inputs, state } = allocation;
  const info = copy.unassignedInfo;
  if (info === undefined) return 0;
  const waitedMs = inputs.waitedMs?.(copy) ?? inputs.nowMs - info.atMs;
  return Math.max(0, delayTimeoutMs(state, copy.index) - waitedMs);
}

/** Copies that have waited long enough no longer count as delayed. */
export function removeDelayMarkers(allocation: Allocation): void {
  for (const copy of [...allocation.routing.unassigned]) {
    const info = copy.unassignedInfo;
    if (info?.delayed !== true || remainingDelayMs(allocation, copy) > 0) continue;
    updateUnassigned(allocation, copy, { ...info, delayed: false });
  }
}

/** Until the first of the copies that still wait is due. */
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
