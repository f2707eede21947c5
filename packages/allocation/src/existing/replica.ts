/**
 * Allocation of an existing replica: to the node whose copy needs the least recovery. A replica of a node that has
 * left waits for its return (`ReplicaShardAllocator`).
 */
import type { ShardRouting } from "@orrery/cluster-state";
import type { NodeId } from "@orrery/stdx";
import type { Allocation } from "../allocation.ts";
import { canAllocate } from "../deciders/ask.ts";
import { delayTimeoutMs, remainingDelayMs } from "../delay.ts";
import { isHigher } from "../decision.ts";
import { failCopy } from "../fail-copy.ts";
import { activePrimaryOf, type RoutingNode } from "../routing-nodes.ts";
import type { DecisionType, StoredCopy } from "../types.ts";
import {
  fromType,
  nodeResult,
  type NodeResult,
  type UnassignedDecision,
} from "../unassigned-decision.ts";
import { hasAskedStores, storesOf } from "./stores.ts";

/** The decision about an unassigned replica that may exist on a disk; `undefined` when the balancer decides instead. */
export function decideExistingReplica(
  allocation: Allocation,
  copy: ShardRouting,
): UnassignedDecision | undefined {
  const info = copy.unassignedInfo;
  if (info === undefined || info.reason === "INDEX_CREATED") return undefined;
  const { type, nodeResults } = bestDecision(allocation, copy);
  if (type !== "YES" && (!allocation.explains || !hasAskedStores(allocation, copy))) {
    return { decision: fromType(type), nodeResults };
  }
  const stores = storesOf(allocation, copy);
  if (stores === undefined) return { decision: "awaiting_info", nodeResults };
  const primary = activePrimaryOf(allocation.routing, copy.index, copy.shard);
  if (primary?.nodeId === undefined) return { decision: fromType(type), nodeResults };
  const primaryStore = stores.find(({ nodeId }) => nodeId === primary.nodeId);
  if (primaryStore?.files === undefined) return undefined;
  const matches = matchesOf(allocation, copy, primaryStore, stores);
  const results = withStores(nodeResults, matches);
  if (type !== "YES") return { decision: fromType(type), nodeResults: results };
  return place(allocation, copy, matches, results);
}

/** The copy on a node, compared with the primary's. */
interface Match {
  readonly node: RoutingNode;
  readonly type: DecisionType;
  readonly isNoop: boolean;
  readonly retainingSeqNo: number;
  readonly matchingBytes: number;
  readonly hasSyncId: boolean;
}

/** The best decision over all nodes. Without a YES no store data is requested. */
function bestDecision(
  allocation: Allocation,
  copy: ShardRouting,
): { readonly type: DecisionType; readonly nodeResults: readonly NodeResult[] } {
  let best: DecisionType = "NO";
  const nodeResults: NodeResult[] = [];
  for (const node of allocation.routing.nodes.values()) {
    const decisions = canAllocate(allocation, copy, node);
    if (isHigher(decisions.type, best)) best = decisions.type;
    if (allocation.explains) nodeResults.push(nodeResult(node, decisions));
    else if (best === "YES") break;
  }
  return { type: best, nodeResults };
}

function matchesOf(
  allocation: Allocation,
  copy: ShardRouting,
  primaryStore: StoredCopy,
  stores: readonly StoredCopy[],
): readonly Match[] {
  return stores.flatMap((stored) => {
    const node = allocation.routing.nodes.get(stored.nodeId);
    // A copy without any matching file still matches: all of its operations may be in the translog.
    if (node === undefined || stored.files === undefined) return [];
    const { type } = canAllocate(allocation, copy, node);
    if (type === "NO" && !allocation.explains) return [];
    return [{ node, type, ...matchWith(primaryStore, stored) }];
  });
}

function matchWith(
  primary: StoredCopy,
  replica: StoredCopy,
): Pick<Match, "isNoop" | "retainingSeqNo" | "matchingBytes" | "hasSyncId"> {
  const retained = (nodeId: NodeId): number =>
    primary.retentionLeases?.find((lease) => lease.nodeId === nodeId)?.retainingSeqNo ?? -1;
  const forPrimary = retained(primary.nodeId);
  const retainingSeqNo = retained(replica.nodeId);
  const hasSyncId = primary.syncId !== undefined && primary.syncId === replica.syncId;
  const files = new Map(primary.files?.map((file) => [file.name, file]));
  const matchingBytes = (replica.files ?? [])
    .filter((file) => {
      const own = files.get(file.name);
      return own?.checksum === file.checksum && own.lengthBytes === file.lengthBytes;
    })
    .reduce((sum, { lengthBytes }) => sum + lengthBytes, 0);
  const isNoop = hasSyncId || (forPrimary >= 0 && retainingSeqNo >= forPrimary);
  return { isNoop, retainingSeqNo, matchingBytes, hasSyncId };
}

function bestOf(matches: readonly Match[]): Match | undefined {
  return matches
    .filter(({ type }) => type !== "NO")
    .toSorted(
      (a, b) =>
        Number(b.isNoop) - Number(a.isNoop) ||
        b.retainingSeqNo - a.retainingSeqNo ||
        b.matchingBytes - a.matchingBytes,
    )[0];
}

function place(
  allocation: Allocation,
  copy: ShardRouting,
  matches: readonly Match[],
  nodeResults: readonly NodeResult[],
): UnassignedDecision | undefined {
  const best = bestOf(matches);
  if (best !== undefined) {
    if (best.type === "THROTTLE") return { decision: "throttled", nodeResults };
    return { decision: "yes", node: best.node, nodeResults };
  }
  const hasData = matches.some(({ type }) => type !== "NO");
  const info = copy.unassignedInfo;
  if (hasData || info?.delayed !== true) return undefined;
  const delay = {
    configuredMs: delayTimeoutMs(allocation.state, copy.index),
    remainingMs: remainingDelayMs(allocation, copy),
  };
  return { decision: "allocation_delayed", delay, nodeResults };
}

function withStores(
  results: readonly NodeResult[],
  matches: readonly Match[],
): readonly NodeResult[] {
  return results.map((result) => {
    const match = matches.find(({ node }) => node.node.id === result.node.id);
    if (match === undefined) return result;
    const { matchingBytes, hasSyncId } = match;
    return { ...result, store: { kind: "replica", matchingBytes, hasSyncId } };
  });
}

/**
 * Cancels the recovery of a replica that copies data, when another node has a copy that needs no files and no
 * operations. The replica is unassigned then, so that it can be assigned to that node.
 */
export function cancelWorseRecoveries(allocation: Allocation): void {
  for (const copy of [...allocation.routing.initializing]) {
    if (copy.primary || copy.relocatingNodeId !== undefined) continue;
    if (copy.unassignedInfo === undefined || copy.unassignedInfo.reason === "INDEX_CREATED") {
      continue;
    }
    cancelIfWorse(allocation, copy);
  }
}

function cancelIfWorse(allocation: Allocation, copy: ShardRouting): void {
  const { routing, inputs } = allocation;
  const primary = activePrimaryOf(routing, copy.index, copy.shard);
  const info = copy.unassignedInfo;
  if (primary === undefined || copy.nodeId === undefined || info === undefined) return;
  if (!hasAskedStores(allocation, copy)) return;
  const stores = storesOf(allocation, copy);
  const primaryStore = stores?.find(({ nodeId }) => nodeId === primary.nodeId);
  if (stores === undefined || primaryStore?.files === undefined) return;
  const matches = matchesOf(allocation, copy, primaryStore, stores);
  const others = matches.filter(({ node }) => !info.failedNodeIds.includes(node.node.id));
  const best = bestOf(others);
  const own = stores.find(({ nodeId }) => nodeId === copy.nodeId);
  const isOwnNoop = own !== undefined && matchWith(primaryStore, own).isNoop;
  if (best === undefined || best.node.node.id === copy.nodeId || !best.isNoop || isOwnNoop) return;
  failCopy(allocation, copy, {
    reason: "REALLOCATED_REPLICA",
    atMs: inputs.nowMs,
    delayed: false,
    failedAllocations: 0,
    failedNodeIds: [...new Set([...info.failedNodeIds, copy.nodeId])],
    lastAllocationStatus: "no_attempt",
    details: `existing allocation of replica to [${describe(allocation, copy.nodeId)}] cancelled, can perform a noop recovery on [${describe(allocation, best.node.node.id)}]`,
  });
}

function describe({ state }: Allocation, nodeId: NodeId): string {
  return state.nodes.get(nodeId)?.name ?? nodeId;
}
