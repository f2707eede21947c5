/**
 * The actions of a shard worker and their handlers: each request that ends at a shard copy. A handler finds the copy,
 * checks that it is the addressed one, and confines failures to request or copy (`blame.ts`).
 */
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
import { onSeveral, type ServePart } from "./search/several.ts";
import { onQueries } from "./search/whole-search.ts";
import { abortShardSnapshot, shardSnapshotStatus, snapshotShard } from "./snapshot/take.ts";
import { checkpointOnReplica, leasesOnReplica } from "./write/lease-sync.ts";
import { operationsOnReplica } from "./write/replica.ts";
import { writeOnPrimary } from "./write/primary.ts";

/** The copy that a request addresses. */
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

/** Registers all actions, those of plugins included. */
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
    const each = { action: one, read: readSearches, serve: serveOne };
    handle(several, onSeveral(worker, each));
  }
  const query = onSearched(worker, serveQuery);
  handle(actions.queryPhase, onOne(ShardSearchRequest, query));
  handle(
    actions.queryShards,
    onQueries(worker, query, (serve) => onSearched(worker, serve)),
  );
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

/** Phases before the query: the action of one shard, that of several, and the handler. */
const searchPhases = [
  [actions.canMatch, actions.canMatchShards, serveCanMatch],
  [actions.statisticsPhase, actions.statisticsShards, serveStatistics],
] as const;

/** A request for one shard, which has a body of its own. */
function onOne<Request extends { readonly body: Uint8Array }>(
  codec: { decode(bytes: Uint8Array): Request },
  serve: ServePart<Request, Uint8Array>,
): Handler {
  return (payload, context) => {
    const request = codec.decode(payload);
    return serve(request, context, new SearchBody(request.body));
  };
}

/** A search in an open context uses the context's copy and view; any other one needs the addressed copy, ready. */
function onSearched<Request extends Addressed & { readonly contextId: string }, Result>(
  worker: WorkerContext,
  serve: (searched: Searched, request: Request, context: HandlerContext) => Promise<Result>,
): ServePart<Request, Result> {
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

/** A request of a plugin: the frame alone names the shard. */
function onShard(worker: WorkerContext, serve: ShardHandler): Handler {
  return async (payload, context) => {
    const [indexUuid = "", shard = ""] = context.shard.split("/");
    const copy = find(worker, { indexUuid, shard: Number(shard) });
    return blameRequest(copy, () => serve(copy, payload, context));
  };
}

/** A request to any copy of the shard; the handler checks more. */
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

/** A search or get: the addressed copy, POST_RECOVERY or STARTED. */
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

/**
 * A message between copies, which carries the address in its header. An unforeseen error fails the copy: the primary
 * has carried the operation out.
 */
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

/** An administrative request, with JSON parameters and result. `canRecover`: also to a copy that has no engine yet. */
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

/**
 * The copy of the shard, whatever its allocation id. `frameShard`: the shard's name in the frame, which saves
 * building it.
 */
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
