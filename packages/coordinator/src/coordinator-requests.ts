/** The coordinating node's operations under the context of one request: `deps.transport` attaches that context to each message. */
import { actions } from "@orrery/protocol";
import type { JsonObject } from "@orrery/stdx";
import { broadcast } from "./broadcast.ts";
import { bulk, write } from "./bulk.ts";
import type { CoordinatorDeps } from "./deps.ts";
import { get, multiGet } from "./get.ts";
import { simulatePipeline } from "./ingest/simulate.ts";
import type { IndexingPressure } from "./indexing-pressure.ts";
import type { ReplicaSelection } from "./replica-selection.ts";
import { replicatedBroadcast } from "./replicated-broadcast.ts";
import { count } from "./search/count.ts";
import {
  createPointInTime,
  deletePointsInTime,
  pitSegments,
  pointsInTime,
} from "./search/point-in-time.ts";
import { clearScroll, scrollPage } from "./search/scroll.ts";
import { search } from "./search/search.ts";
import type {
  Admin,
  BroadcastRequest,
  BroadcastResponse,
  BulkRequest,
  BulkResponse,
  ClearScrollResponse,
  CountResponse,
  CreatePitRequest,
  CreatePitResponse,
  DeletedPit,
  Documents,
  GetRequest,
  GetResult,
  PitSegments,
  PointInTimeInfo,
  ScrollRequest,
  Searches,
  SearchRequest,
  SearchResponse,
  ShardAnswers,
  SimulatedDocument,
  SimulatePipelineRequest,
  WaitingClient,
  WriteItem,
  WriteOptions,
  WriteResult,
} from "./types.ts";
import { verifyBeforeClose } from "./verify-before-close.ts";

/** State of the node that all its requests share. */
export interface CoordinatorState {
  readonly selection: ReplicaSelection;
  readonly pressure: IndexingPressure;
}

/**
 * The operations of one request. A class, not an object of closures: one is made per request, and most requests call
 * one method.
 */
export class CoordinatorRequests implements Documents, Searches, Admin {
  private readonly deps: CoordinatorDeps;
  private readonly selection: ReplicaSelection;
  private readonly pressure: IndexingPressure;

  constructor(deps: CoordinatorDeps, { selection, pressure }: CoordinatorState) {
    this.deps = deps;
    this.selection = selection;
    this.pressure = pressure;
  }

  bulk(request: BulkRequest): Promise<BulkResponse> {
    return bulk(this.deps, this.pressure, request);
  }

  admitWrites(bytes: number): () => void {
    return this.pressure.admit(bytes);
  }

  write(item: WriteItem, options: WriteOptions): Promise<WriteResult> {
    return write(this.deps, this.pressure, item, options);
  }

  simulatePipeline(request: SimulatePipelineRequest): Promise<readonly SimulatedDocument[]> {
    return simulatePipeline(this.deps, request);
  }

  get(request: GetRequest): Promise<GetResult> {
    return get(this.deps, this.selection, request);
  }

  multiGet(requests: readonly GetRequest[], client?: WaitingClient): MultiGetAnswers {
    return multiGet(this.deps, this.selection, requests, client);
  }

  search(request: SearchRequest): Promise<SearchResponse> {
    return search(this.deps, this.selection, request);
  }

  count(request: SearchRequest): Promise<CountResponse> {
    return count(this.deps, this.selection, request);
  }

  scroll(request: ScrollRequest): Promise<SearchResponse> {
    return scrollPage(this.deps, request);
  }

  clearScroll(scrollIds: readonly string[]): Promise<ClearScrollResponse> {
    return clearScroll(this.deps, scrollIds);
  }

  createPointInTime(request: CreatePitRequest): Promise<CreatePitResponse> {
    return createPointInTime(this.deps, this.selection, request);
  }

  pointsInTime(): Promise<readonly PointInTimeInfo[]> {
    return pointsInTime(this.deps);
  }

  deletePointsInTime(pitIds: readonly string[] | "_all"): Promise<readonly DeletedPit[]> {
    return deletePointsInTime(this.deps, pitIds);
  }

  pitSegments(pitIds: readonly string[] | undefined): Promise<readonly PitSegments[]> {
    return pitSegments(this.deps, pitIds);
  }

  refresh(request: BroadcastRequest): Promise<BroadcastResponse> {
    const what = { action: actions.refreshShard, parameters: {} };
    return replicatedBroadcast(this.deps, request, what);
  }

  flush(request: Parameters<Admin["flush"]>[0]): Promise<BroadcastResponse> {
    const { force, waitIfOngoing, ...targets } = request;
    const parameters = { force, wait_if_ongoing: waitIfOngoing };
    return replicatedBroadcast(this.deps, targets, { action: actions.flushShard, parameters });
  }

  verifyBeforeClose(request: BroadcastRequest): Promise<BroadcastResponse> {
    return verifyBeforeClose(this.deps, request);
  }

  forceMerge(request: Parameters<Admin["forceMerge"]>[0]): Promise<BroadcastResponse> {
    const { maxNumSegments, onlyExpungeDeletes, flush, primaryOnly, ...targets } = request;
    return broadcast(this.deps, targets, {
      action: actions.forceMergeShard,
      parameters: {
        max_num_segments: maxNumSegments,
        only_expunge_deletes: onlyExpungeDeletes,
        flush,
      },
      primariesOnly: primaryOnly,
      blockedBy: "metadata_write",
    });
  }

  clearCache(request: Parameters<Admin["clearCache"]>[0]): Promise<BroadcastResponse> {
    return this.read(request, actions.clearCacheShard, request.parameters);
  }

  shardStats(request: Parameters<Admin["shardStats"]>[0]): Promise<ShardAnswers> {
    return this.read(request, actions.shardStats, request.parameters);
  }

  shardSegments(request: BroadcastRequest): Promise<ShardAnswers> {
    return this.read(request, actions.shardSegments, {});
  }

  shardRecoveries(request: Parameters<Admin["shardRecoveries"]>[0]): Promise<ShardAnswers> {
    return this.read(request, actions.shardRecovery, { active_only: request.activeOnly });
  }

  private read(
    { indices, indicesOptions }: BroadcastRequest,
    action: string,
    parameters: JsonObject,
  ): Promise<ShardAnswers> {
    const what = { action, parameters, blockedBy: "metadata_read" } as const;
    return broadcast(this.deps, { indices, indicesOptions }, what);
  }
}

type MultiGetAnswers = ReturnType<Documents["multiGet"]>;
