/**
 * What the coordinating node does for one client request: documents, searches, administration of many shards.
 *
 * Plain data in and out; REST shapes are `rest`'s business. Everything is resolved, routed, retried and reduced here.
 */
import type { IndicesOptions } from "@orrery/cluster-state";
import type { Metadata, MetadataName, Tree, TreeObject } from "@orrery/ingest";
import type { Hit, ReducedSearch } from "@orrery/query";
import type { JsonObject, Problem } from "@orrery/stdx";

export interface Documents {
  bulk(request: BulkRequest): Promise<BulkResponse>;
  /** Throws 429 when this node coordinates too many bytes of writes; what it returns is to be called when they are over. */
  admitWrites(bytes: number): () => void;
  /** One document, through the same path as a bulk of one; a failure rejects with its problem. */
  write(item: WriteItem, options: WriteOptions): Promise<WriteResult>;
  /** Throws when there is no such pipeline, or its definition is refused. */
  simulatePipeline(request: SimulatePipelineRequest): Promise<readonly SimulatedDocument[]>;
  get(request: GetRequest): Promise<GetResult>;
  /** Answers in the order asked; a failed one carries its problem. */
  multiGet(
    requests: readonly GetRequest[],
    client?: WaitingClient,
  ): Promise<
    readonly (
      | GetResult
      | { readonly index: string; readonly id: string; readonly problem: Problem }
    )[]
  >;
}

export interface SimulatePipelineRequest {
  /** The id of one that is there, or a definition. */
  readonly pipeline: string | TreeObject;
  readonly documents: readonly { readonly source: TreeObject; readonly metadata: Metadata }[];
}

export type SimulatedDocument =
  | { readonly kind: "dropped" }
  | { readonly kind: "failed"; readonly problem: Problem }
  | {
      readonly kind: "kept";
      readonly source: TreeObject;
      readonly metadata: ReadonlyMap<MetadataName, Tree>;
      /** Members of `_ingest`. */
      readonly run: TreeObject;
    };

export interface WriteItem {
  readonly operation: "index" | "create" | "update" | "delete";
  /** As the client named it: index, alias, or date math. */
  readonly index: string;
  /** `undefined`: one is made (index and create only). */
  readonly id: string | undefined;
  readonly routing: string | undefined;
  /** As sent. For an update, the update body. */
  readonly source: Uint8Array;
  readonly ifSeqNo?: number;
  readonly ifPrimaryTerm?: number;
  readonly version?: number;
  readonly versionType?: "internal" | "external" | "external_gte";
  readonly retryOnConflict?: number;
  readonly requireAlias?: boolean;
  /** Update: what of the `_source` the answer carries: `true`, `false` or include/exclude lists. */
  readonly fetchSource?: SourceFilter;
  /** The ingest pipeline that the client named, `_none` among them; `undefined`: that of the index. */
  readonly pipeline?: string;
  /** Of an update: nothing is written, and the result carries the document that would be. */
  readonly onlyPlan?: boolean;
}

export type SourceFilter =
  | boolean
  | { readonly includes: readonly string[]; readonly excludes: readonly string[] };

export interface WriteOptions {
  readonly refresh: "false" | "true" | "wait_for";
  readonly timeoutMs: number;
  /** A number or `all`; `undefined`: the index setting. */
  readonly waitForActiveShards: string | undefined;
}

export interface BulkRequest extends WriteOptions {
  readonly items: readonly WriteItem[];
  /** A part of writes that were admitted as a whole. */
  readonly isAdmitted?: boolean;
}

export interface BulkResponse {
  readonly tookMs: number;
  /** Of ingest pipelines, which `tookMs` does not contain; `undefined`: no item had one. */
  readonly ingestTookMs?: number;
  /** In the order of the request. */
  readonly items: readonly (WriteResult | WriteFailure)[];
}

export interface ShardCounts {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
  readonly failures: readonly JsonObject[];
}

export interface WriteResult {
  readonly kind: "done";
  readonly operation: WriteItem["operation"];
  /** The concrete index. */
  readonly index: string;
  readonly id: string;
  readonly version: number;
  /** Negative: a pipeline dropped the document, and it has none. */
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly result: "created" | "updated" | "deleted" | "not_found" | "noop";
  readonly status: number;
  readonly shards: ShardCounts;
  readonly forcedRefresh: boolean;
  /** The `get` object of an update, as JSON text; of one that is only planned, what of its `_source` was asked for. */
  readonly get: Uint8Array | undefined;
  /** Of an update that is only planned: `version`, `seqNo` and `primaryTerm` are those of the document that was read. */
  readonly planned?: PlannedDocument;
}

export interface PlannedDocument {
  readonly source: Uint8Array;
  readonly routing: string | undefined;
  /** False: the update creates it. */
  readonly exists: boolean;
}

export interface WriteFailure {
  readonly kind: "failed";
  readonly operation: WriteItem["operation"];
  readonly index: string;
  readonly id: string | undefined;
  readonly status: number;
  readonly problem: Problem;
}

export interface GetRequest {
  readonly index: string;
  readonly id: string;
  readonly routing: string | undefined;
  readonly preference: string | undefined;
  readonly realtime: boolean;
  readonly refresh: boolean;
  readonly version?: number;
  readonly versionType?: "internal" | "external" | "external_gte";
  readonly storedFields: readonly string[];
  readonly source: SourceFilter;
}

export interface GetResult {
  readonly index: string;
  readonly id: string;
  readonly found: boolean;
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly routing: string | undefined;
  /** Bytes of the `_source` (filtered), or `undefined` when it is not wanted. */
  readonly source: Uint8Array | undefined;
  readonly fields: JsonObject | undefined;
}

export interface Searches {
  search(request: SearchRequest): Promise<SearchResponse>;
  count(request: SearchRequest): Promise<CountResponse>;
  /** The next page of a scroll. */
  scroll(request: ScrollRequest): Promise<SearchResponse>;
  /** Ends scrolls; `_all` among the ids: every one that there is. */
  clearScroll(scrollIds: readonly string[]): Promise<ClearScrollResponse>;
  createPointInTime(request: CreatePitRequest): Promise<CreatePitResponse>;
  /** All that there are, by when they were made. */
  pointsInTime(): Promise<readonly PointInTimeInfo[]>;
  /** `_all`: every one that there is. */
  deletePointsInTime(pitIds: readonly string[] | "_all"): Promise<readonly DeletedPit[]>;
  /** What the shards of points in time read; `undefined`: of all. */
  pitSegments(pitIds: readonly string[] | undefined): Promise<readonly PitSegments[]>;
}

/** The client of a request, as far as the coordinating node asks anything of it. */
export interface WaitingClient {
  /** Told a function that ends the request early: the client is gone. */
  readonly onCancel?: (cancel: () => void) => void;
  /** Takes bytes that the answer is made of, until the client has it. Throws 429 `circuit_breaking_exception` when that is too much. */
  readonly hold?: (bytes: number) => void;
}

export interface ScrollRequest extends WaitingClient {
  readonly scrollId: string;
  /** `undefined`: the default, and the answer does not tell the id again. */
  readonly keepAliveMs: number | undefined;
}

export interface ClearScrollResponse {
  readonly succeeded: boolean;
  readonly freed: number;
}

export interface CreatePitRequest {
  readonly indices: readonly string[];
  readonly indicesOptions: IndicesOptions;
  readonly keepAliveMs: number;
  readonly routing: string | undefined;
  readonly preference: string | undefined;
  readonly allowPartial: boolean;
}

export interface CreatePitResponse {
  readonly pitId: string;
  readonly createdMs: number;
  readonly shards: JsonObject;
}

export interface PointInTimeInfo {
  readonly pitId: string;
  readonly createdMs: number;
  readonly keepAliveMs: number;
}

export interface DeletedPit {
  readonly pitId: string;
  readonly successful: boolean;
}

export interface PitSegments {
  readonly index: string;
  readonly shard: number;
  readonly primary: boolean;
  readonly nodeId: string;
  /** By name, as `_segments` has them. */
  readonly segments: JsonObject;
}

export interface SearchRequest extends WaitingClient {
  /** Expressions; empty: all. */
  readonly indices: readonly string[];
  readonly indicesOptions: IndicesOptions;
  /** The search body, with URI parameters folded in. */
  readonly body: JsonObject;
  /** JSON that came, and what it says: shards get these bytes as long as that is still `body`. */
  readonly sent?: { readonly bytes: Uint8Array; readonly body: JsonObject };
  readonly routing: string | undefined;
  readonly preference: string | undefined;
  readonly searchType: "query_then_fetch" | "dfs_query_then_fetch";
  readonly allowPartialSearchResults: boolean | undefined;
  readonly batchedReduceSize: number;
  readonly preFilterShardSize: number | undefined;
  readonly maxConcurrentShardRequests: number;
  readonly cancelAfterMs: number | undefined;
  /** The first page of a scroll. */
  readonly scroll?: { readonly keepAliveMs: number };
}

/** The answer of a search, or of one page of a scroll. */
export interface SearchResponse extends Omit<ReducedSearch, "docs"> {
  readonly tookMs: number;
  /** With which the client asks for the next page. */
  readonly scrollId?: string;
  readonly pitId?: string;
  /** Counts of shards, and failures. */
  readonly shards: JsonObject;
  /** The page, best first. */
  readonly hits: readonly Hit[];
}

export interface CountResponse {
  readonly count: number;
  readonly terminatedEarly: boolean | undefined;
  readonly shards: JsonObject;
}

/** Operations on every copy (or every primary) of the shards of some indices. */
export interface Admin {
  refresh(request: BroadcastRequest): Promise<BroadcastResponse>;
  flush(
    request: BroadcastRequest & { readonly force: boolean; readonly waitIfOngoing: boolean },
  ): Promise<BroadcastResponse>;
  /** Of indices whose writes are blocked: each shard has no operation under way, has everything on every copy, and is durable. */
  verifyBeforeClose(request: BroadcastRequest): Promise<BroadcastResponse>;
  forceMerge(
    request: BroadcastRequest & {
      readonly maxNumSegments: number;
      readonly onlyExpungeDeletes: boolean;
      readonly flush: boolean;
      readonly primaryOnly: boolean;
    },
  ): Promise<BroadcastResponse>;
  clearCache(
    request: BroadcastRequest & { readonly parameters: JsonObject },
  ): Promise<BroadcastResponse>;
  /**
   * One JSON object per shard copy that answered: sections as the product names them (`docs`, `store`, `indexing`, …,
   * `commit`, `seq_no`, `retention_leases`, `shard_path`); what is left out counts as 0. With the parameter `history` also the
   * operations that the copy keeps.
   */
  shardStats(
    request: BroadcastRequest & { readonly parameters: JsonObject },
  ): Promise<ShardAnswers>;
  shardSegments(request: BroadcastRequest): Promise<ShardAnswers>;
  shardRecoveries(
    request: BroadcastRequest & { readonly activeOnly: boolean },
  ): Promise<ShardAnswers>;
}

export interface BroadcastRequest {
  readonly indices: readonly string[];
  readonly indicesOptions: IndicesOptions;
}

export interface BroadcastResponse {
  readonly shards: ShardCounts;
}

export interface ShardAnswers extends BroadcastResponse {
  /** Concrete indices that were meant, also those without any copy. */
  readonly concreteIndices: readonly string[];
  readonly answers: readonly {
    readonly index: string;
    readonly shard: number;
    readonly primary: boolean;
    readonly nodeId: string;
    readonly relocatingNodeId: string | undefined;
    readonly state: string;
    readonly body: JsonObject;
  }[];
}

/** By node id. */
export interface SearchedNodes {
  readonly [nodeId: string]: {
    readonly outgoingSearches: number;
    readonly avgQueueSize: number;
    readonly avgServiceTimeNs: number;
    readonly avgResponseTimeNs: number;
    readonly rank: string;
  };
}
