/** Which action is served by what: every conversation that ends at a shard copy of this worker. */
import type { Handler, HandlerContext } from "@orrery/ports";
import {
  actions,
  BulkShardRequest,
  CleanFilesRequest,
  CreateContextRequest,
  FetchPhaseRequest,
  FileChunkRequest,
  FilesInfoRequest,
  FinalizeRecoveryRequest,
  FreeContextRequest,
  GetShardRequest,
  GlobalCheckpointSyncRequest,
  HandoffRequest,
  PrepareOperationsRequest,
  ReplicaAdminRequest,
  RecoverOperationsRequest,
  ReplicaOperationsRequest,
  RetentionLeaseSyncRequest,
  ScrollQueryRequest,
  ShardAdminRequest,
  ShardAdminResponse,
  ShardSearchRequest,
  StartRecoveryRequest,
  UpdateContextRequest,
  wireJson,
} from "@orrery/protocol";
import { OperationError, type JsonObject } from "@orrery/stdx";
import { copyHistory } from "./admin/history.ts";
import { clearCacheOfCopy, forceMergeCopy } from "./admin/maintenance.ts";
import { copyRecovery } from "./admin/recoveries.ts";
import {
  adminOnPrimary,
  adminOnReplica,
  parametersOf,
  replicatedAdmin,
} from "./admin/replicated.ts";
import { copySegments } from "./admin/segments.ts";
import { copyStats } from "./admin/stats.ts";
import { blameCopy, blameRequest } from "./blame.ts";
import type { WorkerContext } from "./context.ts";
import { illegalState, shardNotFound, type ShardCopy } from "./copy/shard-copy.ts";
import type { ShardHandler } from "./plugin.ts";
import { serveRecovery } from "./recovery/source.ts";
import {
  takeCleanFiles,
  takeFileChunk,
  takeFilesInfo,
  takeFinalize,
  takeHandoff,
  takeOperations,
  takePrepare,
} from "./recovery/target-steps.ts";
import { serveGet } from "./search/get.ts";
import {
  listPointsInTime,
  serveCreateContext,
  serveUpdateContext,
} from "./search/point-in-time.ts";
import { ownerOf } from "./search/contexts.ts";
import { SearchBody } from "./search/search-body.ts";
import { freeScrolls, serveScrollFetch, serveScrollQuery } from "./search/scroll.ts";
import {
  serveCanMatch,
  serveFetch,
  serveFreeContext,
  serveQuery,
  serveStatistics,
  type Searched,
} from "./search/serve.ts";
import { readFetches, readSearches } from "./search/read-several.ts";
import { onSeveral, type ServeEach } from "./search/several.ts";
import { abortShardSnapshot, shardSnapshotStatus, snapshotShard } from "./snapshot/take.ts";
import { checkpointOnReplica, leasesOnReplica } from "./write/lease-sync.ts";
import { operationsOnReplica } from "./write/replica.ts";
import { writeOnPrimary } from "./write/primary.ts";

/** What every request to a copy says about which one it means. */
interface Addressed {
  readonly index?: string;
  readonly indexUuid: string;
  readonly shard: number;
  /** Absent or empty: whichever copy of the shard is here. */
  readonly allocationId?: string;
}

type Serve<Request> = (
  copy: ShardCopy,
  request: Request,
  context: HandlerContext,
) => Promise<Uint8Array>;

export function addHandlers(worker: WorkerContext): void {
  const handle = (action: string, handler: Handler): void =>
    worker.endpoint.handle(action, handler);

  handle(actions.bulkShard, onCopy(worker, BulkShardRequest, writeOnPrimary));
  handle(actions.getShard, onActive(worker, GetShardRequest, serveGet));

  handle(
    actions.replicaOperations,
    onReplica(worker, ReplicaOperationsRequest, operationsOnReplica),
  );
  handle(actions.resyncReplica, onReplica(worker, ReplicaOperationsRequest, operationsOnReplica));
  handle(
    actions.syncGlobalCheckpoint,
    onReplica(worker, GlobalCheckpointSyncRequest, checkpointOnReplica),
  );
  handle(
    actions.syncRetentionLeases,
    onReplica(worker, RetentionLeaseSyncRequest, leasesOnReplica),
  );

  handle(actions.startRecovery, onCopy(worker, StartRecoveryRequest, serveRecovery));
  handle(actions.recoverFilesInfo, onReplica(worker, FilesInfoRequest, takeFilesInfo));
  handle(actions.recoverFileChunk, onReplica(worker, FileChunkRequest, takeFileChunk));
  handle(actions.recoverCleanFiles, onReplica(worker, CleanFilesRequest, takeCleanFiles));
  handle(actions.prepareOperations, onReplica(worker, PrepareOperationsRequest, takePrepare));
  handle(actions.recoverOperations, onReplica(worker, RecoverOperationsRequest, takeOperations));
  handle(actions.finalizeRecovery, onReplica(worker, FinalizeRecoveryRequest, takeFinalize));
  handle(actions.handOffPrimary, onReplica(worker, HandoffRequest, takeHandoff));

  addSearchHandlers(worker, handle);

  for (const what of replicatedAdmin) {
    handle(
      what.action,
      onActive(worker, ShardAdminRequest, (copy, request, context) =>
        adminOnPrimary(what, copy, { ...request, context }),
      ),
    );
    handle(
      what.replicaAction,
      onReplica(worker, ReplicaAdminRequest, (copy, request) =>
        adminOnReplica(what, copy, request),
      ),
    );
  }
  handle(actions.forceMergeShard, onAdmin(worker, forceMergeCopy));
  handle(actions.clearCacheShard, onAdmin(worker, clearCacheOfCopy));
  handle(
    actions.shardStats,
    onAdmin(worker, async (copy, { history }) =>
      history === true ? { ...copyStats(copy), history: copyHistory(copy) } : copyStats(copy),
    ),
  );
  handle(
    actions.shardSegments,
    onAdmin(worker, async (copy) => copySegments(copy)),
  );
  handle(
    actions.shardRecovery,
    onAdmin(worker, async (copy) => copyRecovery(copy), true),
  );
  handle(actions.snapshotShard, onAdmin(worker, snapshotShard));
  handle(actions.abortSnapshotShard, onAdmin(worker, abortShardSnapshot, true));
  handle(actions.snapshotShardStatus, onAdmin(worker, shardSnapshotStatus, true));
  for (const plugin of worker.plugins) {
    for (const [action, serve] of Object.entries(plugin.actions ?? {})) {
      handle(action, onShard(worker, serve));
    }
  }
}

function addSearchHandlers(
  worker: WorkerContext,
  handle: (action: string, handler: Handler) => void,
): void {
  for (const [one, several, serve] of searchPhases) {
    const serveOne = onSearched(worker, serve);
    handle(one, onOne(ShardSearchRequest, serveOne));
    handle(several, onSeveral(worker, { action: one, read: readSearches, serve: serveOne }));
  }
  const fetch = onSearched(worker, serveFetch);
  const { fetchPhase } = actions;
  handle(fetchPhase, onOne(FetchPhaseRequest, fetch));
  const fetchEach = { action: fetchPhase, read: readFetches, serve: fetch };
  handle(actions.fetchShards, onSeveral(worker, fetchEach));
  handle(actions.freeContext, (payload, context) =>
    serveFreeContext(worker, FreeContextRequest.decode(payload), context),
  );
  handle(actions.queryScroll, (payload, context) =>
    serveScrollQuery(worker, ScrollQueryRequest.decode(payload), context),
  );
  handle(actions.fetchScroll, (payload, context) =>
    serveScrollFetch(worker, FetchPhaseRequest.decode(payload), context),
  );
  handle(actions.createContext, onActive(worker, CreateContextRequest, serveCreateContext));
  handle(actions.updateContext, (payload, context) =>
    serveUpdateContext(worker, UpdateContextRequest.decode(payload), context),
  );
  handle(actions.freeScrolls, onAdmin(worker, freeScrolls));
  handle(actions.listContexts, onAdmin(worker, listPointsInTime));
}

/** Phases before the fetch, each by the action of one shard and that of several. */
const searchPhases = [
  [actions.canMatch, actions.canMatchShards, serveCanMatch],
  [actions.statisticsPhase, actions.statisticsShards, serveStatistics],
  [actions.queryPhase, actions.queryShards, serveQuery],
] as const;

function onOne<Request extends { readonly body: Uint8Array }>(
  codec: { decode(bytes: Uint8Array): Request },
  serve: ServeEach<Request>["serve"],
): Handler {
  return (payload, context) => {
    const request = codec.decode(payload);
    return serve(request, context, new SearchBody(request.body));
  };
}

/** Searches in a context that is open look for that alone; others for the very copy that was meant. */
function onSearched<Request extends Addressed & { readonly contextId: string }>(
  worker: WorkerContext,
  serve: (searched: Searched, request: Request, context: HandlerContext) => Promise<Uint8Array>,
): ServeEach<Request>["serve"] {
  return async (request, frame, body) => {
    if (request.contextId === "") {
      const copy = find(worker, request, frame.shard);
      return blameRequest(copy, async () => {
        checkReady(copy, request);
        return serve({ copy, context: undefined, body }, request, frame);
      });
    }
    const used = { id: request.contextId, owner: ownerOf(frame) };
    return worker.contexts.use(used, (context) =>
      blameRequest(context.copy, () =>
        serve({ copy: context.copy, context, body }, request, frame),
      ),
    );
  };
}

/** Requests of plugins: the frame alone says which shard is meant. */
function onShard(worker: WorkerContext, serve: ShardHandler): Handler {
  return async (payload, context) => {
    const [indexUuid = "", shard = ""] = context.shard.split("/");
    const copy = find(worker, { indexUuid, shard: Number(shard) });
    return blameRequest(copy, () => serve(copy, payload, context));
  };
}

function onCopy<Request extends Addressed>(
  worker: WorkerContext,
  codec: { decode(bytes: Uint8Array): Request },
  serve: Serve<Request>,
): Handler {
  return async (payload, context) => {
    const request = codec.decode(payload);
    const copy = find(worker, request, context.shard);
    return blameRequest(copy, () => serve(copy, request, context));
  };
}

/** Searches and gets: the very copy that was meant, and only when it is ready. */
function onActive<Request extends Addressed>(
  worker: WorkerContext,
  codec: { decode(bytes: Uint8Array): Request },
  serve: Serve<Request>,
): Handler {
  return onCopy(worker, codec, async (copy, request, context) => {
    checkReady(copy, request);
    return serve(copy, request, context);
  });
}

function checkReady(copy: ShardCopy, request: Addressed): void {
  checkAllocation(copy, request);
  const isReady = copy.state === "STARTED" || copy.state === "POST_RECOVERY";
  if (!isReady) throw new OperationError(illegalState(copy));
}

/** Messages between copies carry the address in their header. What the primary accepted has to work here, too. */
function onReplica<Request extends { readonly header: Addressed | null }>(
  worker: WorkerContext,
  codec: { decode(bytes: Uint8Array): Request },
  serve: Serve<Request>,
): Handler {
  return async (payload, context) => {
    const request = codec.decode(payload);
    const { header } = request;
    const copy = find(worker, header ?? { indexUuid: "", shard: 0 }, context.shard);
    checkAllocation(copy, header ?? {});
    return blameCopy(copy, () => serve(copy, request, context));
  };
}

function onAdmin(
  worker: WorkerContext,
  serve: (copy: ShardCopy, parameters: JsonObject, context: HandlerContext) => Promise<JsonObject>,
  canRecover = false,
): Handler {
  return onCopy(worker, ShardAdminRequest, async (copy, request, context) => {
    checkAllocation(copy, request);
    if (!canRecover && copy.engine === undefined) throw new OperationError(illegalState(copy));
    const body = await serve(copy, parametersOf(request), context);
    return ShardAdminResponse.encode({ body: wireJson(body) }).finish();
  });
}

/** `frameShard`: as the frame names it, which saves making that name. */
function find(worker: WorkerContext, request: Addressed, frameShard = ""): ShardCopy {
  const named = worker.copies.get(frameShard);
  if (named?.indexUuid === request.indexUuid && named.shard === request.shard) return named;
  const copy = worker.copies.get(`${request.indexUuid}/${request.shard}`);
  if (copy !== undefined) return copy;
  const index = request.index ?? "";
  throw new OperationError(
    shardNotFound({ index, indexUuid: request.indexUuid, shard: request.shard }),
  );
}

function checkAllocation(
  copy: ShardCopy,
  { allocationId }: { readonly allocationId?: string },
): void {
  if (allocationId === undefined || allocationId === "" || allocationId === copy.allocationId)
    return;
  const reason = `expected allocation id [${allocationId}] but found [${copy.allocationId}]`;
  throw new OperationError(
    shardNotFound(copy, { type: "illegal_state_exception", reason, status: 500 }),
  );
}
