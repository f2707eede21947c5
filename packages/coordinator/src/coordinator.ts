/** The coordinating node's operations, bound to one node. */
import { actions } from "@orrery/protocol";
import type { NodeId } from "@orrery/stdx";
import { broadcast } from "./broadcast.ts";
import { bulk, write } from "./bulk.ts";
import type { CoordinatorDeps } from "./deps.ts";
import { get, multiGet } from "./get.ts";
import { verifyBeforeClose } from "./verify-before-close.ts";
import { createIndexingPressure, type IndexingPressureCounts } from "./indexing-pressure.ts";
import { replicatedBroadcast } from "./replicated-broadcast.ts";
import { createReplicaSelection } from "./replica-selection.ts";
import { count } from "./search/count.ts";
import {
  createPointInTime,
  deletePointsInTime,
  pitSegments,
  pointsInTime,
} from "./search/point-in-time.ts";
import { clearScroll, scrollPage } from "./search/scroll.ts";
import { search } from "./search/search.ts";
import type { Admin, Documents, SearchedNodes, Searches } from "./types.ts";

export type { CoordinatorDeps } from "./deps.ts";

export interface Coordinator extends Documents, Searches, Admin {
  /** What this node saw of the nodes it searches: `adaptive_selection` of its statistics. */
  searchedNodes(): SearchedNodes;
  /** Bytes of writes that this node coordinates. */
  indexingPressure(): IndexingPressureCounts;
  /** How often a copy was read although its zone has no weight. */
  failOpenCount(): number;
  /** A cluster state was applied: what is known of nodes that are not in it is forgotten. */
  nodesChanged(nodes: ReadonlyMap<NodeId, unknown>): void;
}

export function createCoordinator(given: CoordinatorDeps): Coordinator {
  const selection = createReplicaSelection();
  const pressure = createIndexingPressure(given.indexingLimitBytes ?? (() => Infinity));
  let failedOpen = 0;
  const deps: CoordinatorDeps = {
    ...given,
    onFailOpen() {
      failedOpen += 1;
    },
  };
  return {
    failOpenCount: () => failedOpen,
    nodesChanged: (nodes) => {
      for (const { nodeId } of selection.known()) if (!nodes.has(nodeId)) selection.forget(nodeId);
    },
    searchedNodes: () =>
      Object.fromEntries(
        selection.known().map((node) => [
          node.nodeId,
          {
            outgoingSearches: selection.outstanding(node.nodeId),
            avgQueueSize: Math.round(node.queueSize),
            avgServiceTimeNs: Math.round(node.serviceTimeMs * 1e6),
            avgResponseTimeNs: Math.round(node.responseTimeMs * 1e6),
            rank: (selection.rank(node.nodeId) ?? 0).toFixed(1),
          },
        ]),
      ),
    bulk: (request) => bulk(deps, pressure, request),
    admitWrites: (bytes) => pressure.admit(bytes),
    indexingPressure: () => pressure.counts(),
    write: (item, options) => write(deps, pressure, item, options),
    get: (request) => get(deps, selection, request),
    multiGet: (requests, client) => multiGet(deps, selection, requests, client),
    search: (request) => search(deps, selection, request),
    count: (request) => count(deps, selection, request),
    scroll: (request) => scrollPage(deps, request),
    clearScroll: (scrollIds) => clearScroll(deps, scrollIds),
    createPointInTime: (request) => createPointInTime(deps, selection, request),
    pointsInTime: () => pointsInTime(deps),
    deletePointsInTime: (pitIds) => deletePointsInTime(deps, pitIds),
    pitSegments: (pitIds) => pitSegments(deps, pitIds),
    refresh: (request) =>
      replicatedBroadcast(deps, request, { action: actions.refreshShard, parameters: {} }),
    flush: ({ force, waitIfOngoing, ...request }) =>
      replicatedBroadcast(deps, request, {
        action: actions.flushShard,
        parameters: { force, wait_if_ongoing: waitIfOngoing },
      }),
    verifyBeforeClose: (request) => verifyBeforeClose(deps, request),
    forceMerge: ({ maxNumSegments, onlyExpungeDeletes, flush, primaryOnly, ...request }) =>
      broadcast(deps, request, {
        action: actions.forceMergeShard,
        parameters: {
          max_num_segments: maxNumSegments,
          only_expunge_deletes: onlyExpungeDeletes,
          flush,
        },
        primariesOnly: primaryOnly,
        blockedBy: "metadata_write",
      }),
    clearCache: ({ parameters, ...request }) =>
      broadcast(deps, request, {
        action: actions.clearCacheShard,
        parameters,
        blockedBy: "metadata_read",
      }),
    shardStats: ({ parameters, ...request }) =>
      broadcast(deps, request, {
        action: actions.shardStats,
        parameters,
        blockedBy: "metadata_read",
      }),
    shardSegments: (request) =>
      broadcast(deps, request, {
        action: actions.shardSegments,
        parameters: {},
        blockedBy: "metadata_read",
      }),
    shardRecoveries: ({ activeOnly, ...request }) =>
      broadcast(deps, request, {
        action: actions.shardRecovery,
        parameters: { active_only: activeOnly },
        blockedBy: "metadata_read",
      }),
  };
}
