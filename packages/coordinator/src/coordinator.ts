/** The coordinating node's operations, bound to one node. */
import { actions } from "@orrery/protocol";
import { broadcast } from "./broadcast.ts";
import { bulk, write } from "./bulk.ts";
import type { CoordinatorDeps } from "./deps.ts";
import { get, multiGet } from "./get.ts";
import { createReplicaSelection } from "./replica-selection.ts";
import { count, search } from "./search/search.ts";
import type { Admin, Documents, Searches } from "./types.ts";

export type { CoordinatorDeps } from "./deps.ts";

export function createCoordinator(deps: CoordinatorDeps): Documents & Searches & Admin {
  const selection = createReplicaSelection();
  return {
    bulk: (request) => bulk(deps, request),
    write: (item, options) => write(deps, item, options),
    get: (request) => get(deps, selection, request),
    multiGet: (requests) => multiGet(deps, selection, requests),
    search: (request) => search(deps, selection, request),
    count: (request) => count(deps, selection, request),
    refresh: (request) =>
      broadcast(deps, request, {
        action: actions.refreshShard,
        parameters: {},
        blockedBy: "metadata_write",
      }),
    flush: ({ force, waitIfOngoing, ...request }) =>
      broadcast(deps, request, {
        action: actions.flushShard,
        parameters: { force, wait_if_ongoing: waitIfOngoing },
        blockedBy: "metadata_write",
      }),
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
        blockedBy: "metadata_write",
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
