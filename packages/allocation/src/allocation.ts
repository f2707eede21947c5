/** One allocation round: the copies being moved about, what is recorded for the metadata, and what is asked of the world. */
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

/** What happened to one shard in this round, for its primary term and in-sync set. Source: `IndexMetadataUpdater`. */
export interface ShardChanges {
  increasesTerm: boolean;
  initializedPrimary: ShardRouting | undefined;
  firstFailedPrimary: ShardRouting | undefined;
  readonly addedIds: Set<AllocationId>;
  readonly removedIds: Set<AllocationId>;
}

export interface Allocation {
  /** Under its settings those of this node. */
  readonly state: ClusterState;
  /** What the round began with, and what its delta applies to. */
  readonly before: ClusterState;
  readonly inputs: AllocationInputs;
  readonly routing: RoutingNodes;
  /** By `shardKey`. */
  readonly changes: Map<string, ShardChanges>;
  /** Nodes on which the shard failed in this very round, by `shardKey`. */
  readonly ignoredNodes: Map<string, Set<NodeId>>;
  /** Stores to ask for, by `shardKey`. */
  readonly needs: Map<string, StoreFetch>;
  /** Some shard waits for what nodes have on disk: no rebalancing meanwhile. */
  hasPendingFetch: boolean;
  /** Every decider is asked and answers in words. */
  explains: boolean;
  /** Set while reroute commands run. */
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

export function changesOf(allocation: Allocation, copy: ShardRouting): ShardChanges {
  const key = shardKey(copy.index, copy.shard);
  const known = allocation.changes.get(key);
  if (known !== undefined) return known;
  const fresh: ShardChanges = {
    increasesTerm: false,
    initializedPrimary: undefined,
    firstFailedPrimary: undefined,
    addedIds: new Set(),
    removedIds: new Set(),
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
