/**
 * The state of one allocation round: its copies, the changes for the metadata, and the requests for store data
 * (`RoutingAllocation`).
 */
import {
  withNodeSettings,
  type ClusterState,
  type Settings,
  type ShardRouting,
} from "@orrery/cluster-state";
import type { AllocationId, NodeId } from "@orrery/stdx";
import { shardKey } from "./keys.ts";
import { createRoutingNodes, type RoutingNodes } from "./routing-nodes.ts";
import type { AllocationInputs, StoreFetch } from "./types.ts";

/**
 * The changes of one shard in this round, from which its primary term and in-sync set follow
 * (`IndexMetadataUpdater`).
 */
export interface ShardChanges {
  increasesTerm: boolean;
  initializedPrimary: ShardRouting | undefined;
  firstFailedPrimary: ShardRouting | undefined;
  readonly addedIds: Set<AllocationId>;
  readonly removedIds: Set<AllocationId>;
  /** The removed ids that no copy has: no store that has such an id becomes primary in this round either. */
  readonly staleIds: Set<AllocationId>;
}

/** One round. Owned and mutated by one call of `reroute`, `executeCommands` or `explain`. */
export interface Allocation {
  /** The cluster state, with settings of this node as defaults of the cluster's. */
  readonly state: ClusterState;
  /** The cluster state at the beginning of the round, to which the delta applies. */
  readonly before: ClusterState;
  readonly inputs: AllocationInputs;
  readonly routing: RoutingNodes;
  /** The changes of each shard, by `shardKey`. */
  readonly changes: Map<string, ShardChanges>;
  /** Nodes on which the shard failed in this round, by `shardKey`; it is not placed there again in the round. */
  readonly ignoredNodes: Map<string, Set<NodeId>>;
  /** Store data to request, by `shardKey`. */
  readonly needs: Map<string, StoreFetch>;
  /** A shard waits for store data: nothing is rebalanced in this round. */
  hasPendingFetch: boolean;
  /** Every decider is asked, and verdicts are kept with their texts. */
  explains: boolean;
  /** Set while reroute commands run: `cluster.routing.allocation.enable` does not apply to them. */
  ignoresDisable: boolean;
}

const noSettings: Settings = {};

export function createAllocation(state: ClusterState, inputs: AllocationInputs): Allocation {
  return {
    state: withNodeSettings(state, inputs.nodeSettings ?? noSettings),
    before: state,
    inputs,
    routing: createRoutingNodes(state),
    changes: new Map(),
    ignoredNodes: new Map(),
    needs: new Map(),
    hasPendingFetch: false,
    explains: false,
    ignoresDisable: false,
  };
}

/** The changes of a copy's shard so far; `undefined` while there are none. */
export function changesMade(allocation: Allocation, copy: ShardRouting): ShardChanges | undefined {
  return allocation.changes.get(shardKey(copy.index, copy.shard));
}

/** The changes of a copy's shard, created on demand. */
export function changesOf(allocation: Allocation, copy: ShardRouting): ShardChanges {
  const known = changesMade(allocation, copy);
  if (known !== undefined) return known;
  const key = shardKey(copy.index, copy.shard);
  const fresh: ShardChanges = {
    increasesTerm: false,
    initializedPrimary: undefined,
    firstFailedPrimary: undefined,
    addedIds: new Set(),
    removedIds: new Set(),
    staleIds: new Set(),
  };
  allocation.changes.set(key, fresh);
  return fresh;
}

export function ignoreNode(allocation: Allocation, copy: ShardRouting, nodeId: NodeId): void {
  const key = shardKey(copy.index, copy.shard);
  const nodes = allocation.ignoredNodes.get(key) ?? new Set();
  allocation.ignoredNodes.set(key, nodes.add(nodeId));
}

export function isNodeIgnored(allocation: Allocation, copy: ShardRouting, nodeId: NodeId): boolean {
  if (allocation.ignoredNodes.size === 0) return false;
  return allocation.ignoredNodes.get(shardKey(copy.index, copy.shard))?.has(nodeId) === true;
}
