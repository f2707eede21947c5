/**
 * Allocation of an existing primary: to a node with an in-sync copy on disk, and to no other
 * (`PrimaryShardAllocator`).
 *
 * INV-ALLOC-3: without force, only an in-sync copy becomes primary.
 */
import type { ShardRouting } from "@orrery/cluster-state";
import type { AllocationId } from "@orrery/stdx";
import { changesMade, isNodeIgnored, type Allocation } from "../allocation.ts";
import type { Decisions } from "../decision.ts";
import { canAllocate, canForcePrimary } from "../deciders/ask.ts";
import { indexMetadataOf, type RoutingNode } from "../routing-nodes.ts";
import type { StoredCopy } from "../types.ts";
import {
  fromType,
  nodeResult,
  type NodeResult,
  type UnassignedDecision,
} from "../unassigned-decision.ts";
import { storesOf } from "./stores.ts";

/**
 * The decision about an unassigned primary that exists on a disk; `undefined` when the balancer decides instead: the
 * primary is new, or is restored and no usable copy exists.
 */
export function decideExistingPrimary(
  allocation: Allocation,
  copy: ShardRouting,
): UnassignedDecision | undefined {
  const source = copy.recoverySource?.type;
  if (source !== "EXISTING_STORE" && source !== "SNAPSHOT") return undefined;
  const stores = storesOf(allocation, copy);
  if (stores === undefined) return awaiting(allocation, copy);
  const inSync = inSyncNow(allocation, copy);
  const candidates = candidatesOf(allocation, copy, stores, inSync);
  if (candidates.length === 0) {
    if (source === "SNAPSHOT") return undefined;
    const nodeResults = resultsOf(allocation, [], stores, inSync);
    return { decision: "no_valid_shard_copy", nodeResults };
  }
  return choose(allocation, copy, candidates, stores, inSync);
}

/**
 * The in-sync set without the ids that the round has removed as stale: the primary that reported them may acknowledge writes that their
 * stores lack (`IndexMetadataUpdater.removeStaleIdsWithoutRoutings`, which runs before the allocation).
 */
function inSyncNow(allocation: Allocation, copy: ShardRouting): readonly AllocationId[] {
  const ids = indexMetadataOf(allocation.routing, copy.index).inSyncAllocationIds[copy.shard] ?? [];
  const stale = changesMade(allocation, copy)?.staleIds;
  return stale === undefined || stale.size === 0 ? ids : ids.filter((id) => !stale.has(id));
}

interface Candidate {
  readonly stored: StoredCopy;
  readonly node: RoutingNode;
}

/** A candidate with the verdicts of the deciders. */
interface Judged extends Candidate {
  readonly decisions: Decisions;
}

function awaiting(allocation: Allocation, copy: ShardRouting): UnassignedDecision {
  const nodeResults = allocation.explains
    ? [...allocation.routing.nodes.values()].map((node) =>
        nodeResult(node, canAllocate(allocation, copy, node)),
      )
    : [];
  return { decision: "awaiting_info", nodeResults };
}

/** In-sync copies on live nodes: those that can be opened first, and among them the last primary. */
function candidatesOf(
  allocation: Allocation,
  copy: ShardRouting,
  stores: readonly StoredCopy[],
  inSync: readonly AllocationId[],
): readonly Candidate[] {
  const rank = ({ stored }: Candidate): number =>
    (stored.storeException === undefined ? 0 : 2) + (stored.wasPrimary ? 0 : 1);
  return stores
    .flatMap((stored) => {
      const node = allocation.routing.nodes.get(stored.nodeId);
      const isInSync = stored.allocationId !== undefined && inSync.includes(stored.allocationId);
      if (node === undefined || !isInSync) return [];
      return isNodeIgnored(allocation, copy, stored.nodeId) ? [] : [{ stored, node }];
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

/**
 * The first candidate with a YES. If deciders refuse all candidates they are asked again by `canForcePrimary`: losing
 * the shard is worse than a broken rule.
 */
function choose(
  allocation: Allocation,
  copy: ShardRouting,
  candidates: readonly Candidate[],
  stores: readonly StoredCopy[],
  inSync: readonly AllocationId[],
): UnassignedDecision {
  const judge = (ask: typeof canAllocate): readonly Judged[] =>
    candidates.map((candidate) => ({
      ...candidate,
      decisions: ask(allocation, copy, candidate.node),
    }));
  const first = judge(canAllocate);
  const judged = first.every(({ decisions }) => decisions.type === "NO")
    ? judge(canForcePrimary)
    : first;
  const nodeResults = resultsOf(allocation, judged, stores, inSync);
  const best = judged.find(({ decisions }) => decisions.type === "YES");
  if (best !== undefined) {
    const { node, stored } = best;
    return { decision: "yes", node, existingId: stored.allocationId, nodeResults };
  }
  const isThrottled = judged.some(({ decisions }) => decisions.type === "THROTTLE");
  if (isThrottled) return { decision: "throttled", nodeResults };
  return { decision: "no", hasInSyncCopies: true, nodeResults };
}

/** Results of the candidates, then of nodes without a usable copy. */
function resultsOf(
  allocation: Allocation,
  judged: readonly Judged[],
  stores: readonly StoredCopy[],
  inSync: readonly AllocationId[],
): readonly NodeResult[] {
  if (!allocation.explains) return [];
  const chosen = judged.map(({ node, stored, decisions }): NodeResult => {
    const decision = fromType(decisions.type);
    const store = storeResult(stored, inSync);
    return { node: node.node, decision, decisions, weightRanking: 0, store };
  });
  const others = [...allocation.routing.nodes.values()]
    .filter(({ node }) => !chosen.some((result) => result.node.id === node.id))
    .map(({ node }): NodeResult => {
      const stored = stores.find(({ nodeId }) => nodeId === node.id);
      const store =
        stored === undefined ? ({ kind: "none" } as const) : storeResult(stored, inSync);
      return { node, decision: "no", decisions: undefined, weightRanking: 0, store };
    });
  return [...chosen, ...others];
}

function storeResult(
  { allocationId, storeException }: StoredCopy,
  inSync: readonly AllocationId[],
): NonNullable<NodeResult["store"]> {
  if (allocationId === undefined && storeException === undefined) return { kind: "none" };
  return {
    kind: "primary",
    allocationId,
    isInSync: allocationId !== undefined && inSync.includes(allocationId),
    exception: storeException,
  };
}
