/**
 * A cache of verdicts for copies that deciders cannot distinguish: the verdict on one of them holds for the others
 * until a copy is assigned to a node or leaves one.
 *
 * A round over thousands of copies has few kinds of them. The cache is correct only while everything that a decider
 * reads of a copy is part of the kind, or excluded here. A decider that reads more must be taken into account here.
 */
import {
  awarenessAttributes,
  customOf,
  type ClusterState,
  type ShardRouting,
} from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import type { Decisions } from "../decision.ts";
import { rowOf, type RoutingNode } from "../routing-nodes.ts";
import { expectedSize } from "../shard-size.ts";

/** Verdicts on one kind of copy, by node, and on its allocation to any node. */
export type VerdictCache = Map<RoutingNode | "anywhere", Decisions>;

/**
 * The cache for an unassigned, empty primary of a shard without assigned copies, whose allocation has not failed.
 * `undefined` for any other copy; for explanations; and when a shard failed in the round, or snapshots are in the state.
 */
export function cacheForNewPrimary(
  allocation: Allocation,
  copy: ShardRouting,
): VerdictCache | undefined {
  const { explains, ignoredNodes, routing, state } = allocation;
  if (explains || ignoredNodes.size > 0) return undefined;
  const isNew =
    copy.primary && copy.state === "UNASSIGNED" && copy.recoverySource?.type === "EMPTY_STORE";
  if (!isNew || (copy.unassignedInfo?.failedAllocations ?? 0) > 0) return undefined;
  if (customOf(state, "snapshots") !== undefined) return undefined;
  if (rowOf(routing, copy.index, copy.shard).some(({ nodeId }) => nodeId !== undefined)) {
    return undefined;
  }
  if (expectedSize(allocation, copy) > 0) return undefined;
  return cacheOf(allocation, `new ${copy.index}`);
}

/**
 * The cache for started copies of an index, when deciders are asked whether they may remain. `undefined` for explanations,
 * and when a shard failed in the round, or awareness attributes are set.
 */
export function cacheForRemaining(
  allocation: Allocation,
  copy: ShardRouting,
): VerdictCache | undefined {
  const { explains, ignoredNodes, state } = allocation;
  if (explains || ignoredNodes.size > 0 || usesAwareness(state)) return undefined;
  return cacheOf(allocation, `${copy.primary ? "primary" : "replica"} ${copy.index}`);
}

/** Awareness reads all copies of a shard, so copies of one index differ. */
function usesAwareness(state: ClusterState): boolean {
  return awarenessAttributes(state).length > 0;
}

function cacheOf({ routing }: Allocation, kind: string): VerdictCache {
  const known = routing.verdicts.get(kind);
  if (known !== undefined) return known;
  const cache: VerdictCache = new Map();
  routing.verdicts.set(kind, cache);
  return cache;
}
