/**
 * Requests and responses of the coordinating node: documents, searches, administration of shards.
 *
 * Plain data in and out; REST shapes belong to `rest`. Index expressions are resolved, requests routed and retried,
 * and results reduced in this package.
 */
import type { IndicesOptions } from "@orrery/cluster-state";
import type { Metadata, MetadataName, Tree, TreeObject } from "@orrery/ingest";
import type { Hit, ReducedSearch } from "@orrery/query";
import type { JsonObject, Problem } from "@orrery/stdx";

/** Operations on documents that a coordinating node performs for clients. */
export interface Documents {
  bulk(request: BulkRequest): Promise<BulkResponse>;
  /**
   * Counts bytes of writes under indexing pressure and returns the release function, which the caller invokes when
   * the writes have ended. Throws 429 above the limit.
   */
  admitWrites(bytes: number): () => void;
  /** Writes one document on the path of a bulk of one item. Rejects with the problem of the item. */
  write(item: WriteItem, options: WriteOptions): Promise<WriteResult>;
  /**
   * Runs documents through a pipeline and writes nothing. Rejects when the pipeline does not exist or its definition
   * is invalid.
   */
  simulatePipeline(request: SimulatePipelineRequest): Promise<readonly SimulatedDocument[]>;
  get(request: GetRequest): Promise<GetResult>;
  /** Answers in the order of the requests; a failed read is an entry with its problem. */
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

/** Documents to run through an ingest pipeline without writing them. */
export interface SimulatePipelineRequest {
  /** The id of a stored pipeline, or a definition. */
  readonly pipeline: string | TreeObject;
  readonly documents: readonly { readonly source: TreeObject; readonly metadata: Metadata }[];
}

/** Outcome of a simulated document: dropped by a processor, failed, or the document with its metadata after the last processor. */
export type SimulatedDocument =
  | { readonly kind: "dropped" }
  | { readonly kind: "failed"; readonly problem: Problem }
  | {
      readonly kind: "kept";
      readonly source: TreeObject;
      readonly metadata: ReadonlyMap<MetadataName, Tree>;
      /** Members of `_ingest`, such as the timestamp. */
      readonly run: TreeObject;
    };

/** One write of a bulk. */
export interface WriteItem {
  readonly operation: "index" | "create" | "update" | "delete";
  /** The name in the request: index, alias, data stream, or date math. */
  readonly index: string;
  /** Id of the document; `undefined`: the coordinating node generates one (index and create only). */
  readonly id: string | undefined;
  readonly routing: string | undefined;
  /** The document's bytes as they were sent; for an update, the update body. */
  readonly source: Uint8Array;
  readonly ifSeqNo?: number;
  readonly ifPrimaryTerm?: number;
  readonly version?: number;
  readonly versionType?: "internal" | "external" | "external_gte";
  readonly retryOnConflict?: number;
  readonly requireAlias?: boolean;
  /** For an update: the filter of the `_source` in the response. */
  readonly fetchSource?: SourceFilter;
  /** The pipeline of the request; `_none` disables the default pipeline; `undefined`: the default pipeline of the index. */
  readonly pipeline?: string;
  /** For an update: merges without writing, and returns the merged document in `planned`. */
  readonly onlyPlan?: boolean;
}

/** Filter of a `_source`: whole, none, or patterns of included and excluded paths. */
export type SourceFilter =
  | boolean
  | { readonly includes: readonly string[]; readonly excludes: readonly string[] };

/** Options that hold for all items of a bulk. */
export interface WriteOptions {
  readonly refresh: "false" | "true" | "wait_for";
  readonly timeoutMs: number;
  /** A number or `all`; `undefined`: the setting `index.write.wait_for_active_shards`. */
  readonly waitForActiveShards: string | undefined;
}

/** A bulk, whose items are independent: one may fail and the others succeed. */
export interface BulkRequest extends WriteOptions {
  readonly items: readonly WriteItem[];
  /** Whether the caller has already counted these bytes under indexing pressure (a slice of a large bulk). */
  readonly isAdmitted?: boolean;
}

/** Response of a bulk. */
export interface BulkResponse {
  readonly tookMs: number;
  /** Time in ingest pipelines, which `tookMs` does not include; `undefined`: no item had a pipeline. */
  readonly ingestTookMs?: number;
  /** In the order of the request's items. */
  readonly items: readonly (WriteResult | WriteFailure)[];
}

/** Counts of shard copies: of a write, those of its replication group. */
export interface ShardCounts {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
  readonly failures: readonly JsonObject[];
}

/** A write that was carried out, or that had nothing to do (`noop`, `not_found`). */
export interface WriteResult {
  readonly kind: "done";
  readonly operation: WriteItem["operation"];
  /** The concrete index; for a document that a pipeline dropped, the name in the request. */
  readonly index: string;
  readonly id: string;
  readonly version: number;
  /** −2 (unassigned) when a pipeline dropped the document, which then has no sequence number. */
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly result: "created" | "updated" | "deleted" | "not_found" | "noop";
  readonly status: number;
  readonly shards: ShardCounts;
  readonly forcedRefresh: boolean;
  /** The `get` object of an update's response, as JSON text; for a planned update, the filtered `_source`. */
  readonly get: Uint8Array | undefined;
  /** Only for a planned update: `version`, `seqNo` and `primaryTerm` are then those of the document that was read. */
  readonly planned?: PlannedDocument;
}

/** The merged document of an update that has not been written. */
export interface PlannedDocument {
  readonly source: Uint8Array;
  readonly routing: string | undefined;
  /** False when the update would create the document. */
  readonly exists: boolean;
}

/** A write that failed; nothing was written, unless the problem leaves the outcome open. */
export interface WriteFailure {
  readonly kind: "failed";
  readonly operation: WriteItem["operation"];
  readonly index: string;
  readonly id: string | undefined;
  readonly status: number;
  readonly problem: Problem;
}

/** The read of one document. With `realtime` it sees writes that are not refreshed yet. */
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

/**
 * The result of reading a document. When `found` is false, version, sequence number and primary term have no meaning.
 */
export interface GetResult {
  readonly index: string;
  readonly id: string;
  readonly found: boolean;
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly routing: string | undefined;
  /** Bytes of the filtered `_source`; `undefined` when the request excludes it or the document is missing. */
  readonly source: Uint8Array | undefined;
  readonly fields: JsonObject | undefined;
}

/** Operations on searches, scrolls and points in time that a coordinating node performs for clients. */
export interface Searches {
  search(request: SearchRequest): Promise<SearchResponse>;
  count(request: SearchRequest): Promise<CountResponse>;
  /** Returns the next page of a scroll. */
  scroll(request: ScrollRequest): Promise<SearchResponse>;
  /** Ends scrolls and frees their contexts; `_all` as the only id ends all scrolls of the cluster. */
  clearScroll(scrollIds: readonly string[]): Promise<ClearScrollResponse>;
  createPointInTime(request: CreatePitRequest): Promise<CreatePitResponse>;
  /** All open points in time, by creation time. */
  pointsInTime(): Promise<readonly PointInTimeInfo[]>;
  /** Deletes points in time and frees their contexts; `_all`: all points in time of the cluster. */
  deletePointsInTime(pitIds: readonly string[] | "_all"): Promise<readonly DeletedPit[]>;
  /** Segments that the contexts of points in time hold open; `undefined`: those of all points in time. */
  pitSegments(pitIds: readonly string[] | undefined): Promise<readonly PitSegments[]>;
}

/** Callbacks of the client that waits for a response. */
export interface WaitingClient {
  /** Receives the function that cancels the request; `rest` calls it when the client disconnects. */
  readonly onCancel?: (cancel: () => void) => void;
  /** Counts bytes of the response until they are sent. Throws 429 `circuit_breaking_exception` above the node's limit. */
  readonly hold?: (bytes: number) => void;
}

/** The request of a later page of a scroll. */
export interface ScrollRequest extends WaitingClient {
  readonly scrollId: string;
  /**
   * New keep-alive of the scroll; `undefined`: this page is the last that the client asks for, and the response omits
   * the scroll id.
   */
  readonly keepAliveMs: number | undefined;
}

/**
 * Number of contexts freed, or of nodes in the cluster for `_all`; `succeeded` is false when a node could not be
 * reached.
 */
export interface ClearScrollResponse {
  readonly succeeded: boolean;
  readonly freed: number;
}

/** A request to open a point in time; `allowPartial` admits shards without a context. */
export interface CreatePitRequest {
  readonly indices: readonly string[];
  readonly indicesOptions: IndicesOptions;
  readonly keepAliveMs: number;
  readonly routing: string | undefined;
  readonly preference: string | undefined;
  readonly allowPartial: boolean;
}

/** The id of a point in time, and the counts of its shards. */
export interface CreatePitResponse {
  readonly pitId: string;
  readonly createdMs: number;
  readonly shards: JsonObject;
}

/** An open point in time: its id, creation time (wall clock) and keep-alive. */
export interface PointInTimeInfo {
  readonly pitId: string;
  readonly createdMs: number;
  readonly keepAliveMs: number;
}

/**
 * Whether one point in time was deleted; false when a node with one of its contexts was unreachable or has left the
 * cluster.
 */
export interface DeletedPit {
  readonly pitId: string;
  readonly successful: boolean;
}

/** Segments that one shard copy holds open for a point in time. */
export interface PitSegments {
  readonly index: string;
  readonly shard: number;
  readonly primary: boolean;
  readonly nodeId: string;
  /** Segments by name, in the form of `_segments`. */
  readonly segments: JsonObject;
}

/** A search. `batchedReduceSize` has no effect on the result. */
export interface SearchRequest extends WaitingClient {
  /** Index expressions; an empty list means all indices. */
  readonly indices: readonly string[];
  readonly indicesOptions: IndicesOptions;
  /** The search body with URI parameters merged in. */
  readonly body: JsonObject;
  /** The body's bytes as sent, with their parsed form. Shards receive these bytes as long as `body` is that same object. */
  readonly sent?: { readonly bytes: Uint8Array; readonly body: JsonObject };
  readonly routing: string | undefined;
  readonly preference: string | undefined;
  readonly searchType: "query_then_fetch" | "dfs_query_then_fetch";
  readonly allowPartialSearchResults: boolean | undefined;
  readonly batchedReduceSize: number;
  readonly preFilterShardSize: number | undefined;
  readonly maxConcurrentShardRequests: number;
  readonly cancelAfterMs: number | undefined;
  /** Keep-alive of the contexts; present only on the first page of a scroll. */
  readonly scroll?: { readonly keepAliveMs: number };
}

/** Response of a search, or of one page of a scroll. */
export interface SearchResponse extends Omit<ReducedSearch, "docs"> {
  readonly tookMs: number;
  /** Id for the request of the next page; absent unless the request opens a scroll or keeps it alive. */
  readonly scrollId?: string;
  readonly pitId?: string;
  /** Members of `_shards`. */
  readonly shards: JsonObject;
  /** Hits of the page, in the order of the search's sort. */
  readonly hits: readonly Hit[];
}

/** Number of matching documents; `terminatedEarly` is `undefined` without `terminate_after`. */
export interface CountResponse {
  readonly count: number;
  readonly terminatedEarly: boolean | undefined;
  readonly shards: JsonObject;
}

/** Operations on every copy, or every primary, of the shards of some indices. */
export interface Admin {
  refresh(request: BroadcastRequest): Promise<BroadcastResponse>;
  flush(
    request: BroadcastRequest & { readonly force: boolean; readonly waitIfOngoing: boolean },
  ): Promise<BroadcastResponse>;
  /**
   * Checks, for indices whose writes are blocked, that no operation is in flight, that all copies have all
   * operations, and commits each copy.
   */
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
   * One JSON object per shard copy that answered, with the product's section names (`docs`, `store`, `indexing`, …,
   * `commit`, `seq_no`, `retention_leases`, `shard_path`); an absent counter is 0. The parameter `history` adds the
   * operations that the copy retains.
   */
  shardStats(
    request: BroadcastRequest & { readonly parameters: JsonObject },
  ): Promise<ShardAnswers>;
  shardSegments(request: BroadcastRequest): Promise<ShardAnswers>;
  shardRecoveries(
    request: BroadcastRequest & { readonly activeOnly: boolean },
  ): Promise<ShardAnswers>;
}

/** The indices, as expressions, whose shard copies an operation is sent to; an empty list means all indices. */
export interface BroadcastRequest {
  readonly indices: readonly string[];
  readonly indicesOptions: IndicesOptions;
}

/** Counts of the copies that executed a broadcast. */
export interface BroadcastResponse {
  readonly shards: ShardCounts;
}

/** One answer for each shard copy that answered, beside the counts. */
export interface ShardAnswers extends BroadcastResponse {
  /** Concrete indices that the expressions resolve to, including those without an assigned copy. */
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

/** Statistics of adaptive replica selection by node id, under the names of `adaptive_selection`. */
export interface SearchedNodes {
  readonly [nodeId: string]: {
    readonly outgoingSearches: number;
    readonly avgQueueSize: number;
    readonly avgServiceTimeNs: number;
    readonly avgResponseTimeNs: number;
    readonly rank: string;
  };
}
