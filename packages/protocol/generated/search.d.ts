/** Generated from proto/search.proto. */
import type { Problem } from "./problem.js";
import type { Message } from "@orrery/stdx/codec";

export interface ShardSearchRequest {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly body: Uint8Array;
  readonly aliasFilter: string;
  readonly shardIndex: number;
  readonly nowMs: number;
  readonly keepContext: boolean;
  readonly keepAliveMs: number | null;
  readonly contextId: string;
  readonly fetch: boolean;
  readonly countOnly: boolean;
  readonly preference: string;
  readonly searchType: string;
  readonly isScroll: boolean;
  readonly clusterAlias: string;
  readonly indexBoost: number;
  readonly statistics: Uint8Array;
  readonly timeoutMs: number;
  readonly isPointInTime: boolean;
  readonly sliceShard: number;
  readonly sliceShards: number;
}
export const ShardSearchRequest: Message<ShardSearchRequest>;

export interface ShardSearchRequests {
  readonly shared: ShardSearchRequest | null;
  readonly parts: readonly ShardSearchPart[];
  readonly partOf: RequestName | null;
  readonly whole: boolean;
  readonly preFilter: boolean;
}
export const ShardSearchRequests: Message<ShardSearchRequests>;

export interface ShardSearchPart {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly aliasFilter: string;
  readonly shardIndex: number;
  readonly keepAliveMs: number | null;
  readonly contextId: string;
  readonly keepContext: boolean;
  readonly isPointInTime: boolean;
  readonly indexBoost: number;
  readonly sliceShard: number;
  readonly sliceShards: number;
}
export const ShardSearchPart: Message<ShardSearchPart>;

export interface RequestName {
  readonly from: string;
  readonly endpoint: number;
  readonly correlationId: number;
}
export const RequestName: Message<RequestName>;

export interface ShardResults {
  readonly results: readonly ShardResult[];
  readonly whole: WholeSearch | null;
}
export const ShardResults: Message<ShardResults>;

export interface ShardResult {
  readonly answer: Uint8Array;
  readonly problem: Problem | null;
  readonly skipped: boolean;
}
export const ShardResult: Message<ShardResult>;

export interface WholeSearch {
  readonly results: readonly Uint8Array[];
  readonly hits: Uint8Array;
  readonly failures: readonly FetchFailure[];
  readonly serviceTimeNs: readonly number[];
}
export const WholeSearch: Message<WholeSearch>;

export interface FetchFailure {
  readonly part: number;
  readonly problem: Problem | null;
}
export const FetchFailure: Message<FetchFailure>;

export interface CanMatchResponse {
  readonly matches: boolean;
  readonly sortBounds: string;
}
export const CanMatchResponse: Message<CanMatchResponse>;

export interface StatisticsResponse {
  readonly statistics: Uint8Array;
}
export const StatisticsResponse: Message<StatisticsResponse>;

export interface QueryPhaseResponse {
  readonly contextId: string;
  readonly result: Uint8Array;
  readonly fetched: Uint8Array;
  readonly serviceTimeNs: number;
  readonly queueSize: number;
  readonly count: number;
  readonly terminatedEarly: boolean;
  readonly scrollBody: Uint8Array;
}
export const QueryPhaseResponse: Message<QueryPhaseResponse>;

export interface ScrollQueryRequest {
  readonly contextId: string;
  readonly keepAliveMs: number | null;
  readonly fetch: boolean;
}
export const ScrollQueryRequest: Message<ScrollQueryRequest>;

export interface CreateContextRequest {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly keepAliveMs: number;
}
export const CreateContextRequest: Message<CreateContextRequest>;

export interface CreateContextResponse {
  readonly contextId: string;
}
export const CreateContextResponse: Message<CreateContextResponse>;

export interface UpdateContextRequest {
  readonly contextId: string;
  readonly pitId: string;
  readonly createdMs: number;
  readonly keepAliveMs: number;
}
export const UpdateContextRequest: Message<UpdateContextRequest>;

export interface UpdateContextResponse {

}
export const UpdateContextResponse: Message<UpdateContextResponse>;

export interface FetchPhaseRequest {
  readonly indexUuid: string;
  readonly shard: number;
  readonly contextId: string;
  readonly body: Uint8Array;
  readonly docs: Uint8Array;
  readonly freeContext: boolean;
  readonly nowMs: number;
  readonly aliasFilter: string;
  readonly statistics: Uint8Array;
}
export const FetchPhaseRequest: Message<FetchPhaseRequest>;

export interface FetchPhaseRequests {
  readonly body: Uint8Array;
  readonly nowMs: number;
  readonly parts: readonly FetchPhasePart[];
  readonly partOf: RequestName | null;
  readonly statistics: Uint8Array;
}
export const FetchPhaseRequests: Message<FetchPhaseRequests>;

export interface FetchPhasePart {
  readonly indexUuid: string;
  readonly shard: number;
  readonly contextId: string;
  readonly docs: Uint8Array;
  readonly freeContext: boolean;
  readonly aliasFilter: string;
}
export const FetchPhasePart: Message<FetchPhasePart>;

export interface FetchPhaseResponse {
  readonly result: Uint8Array;
}
export const FetchPhaseResponse: Message<FetchPhaseResponse>;

export interface FreeContextRequest {
  readonly indexUuid: string;
  readonly shard: number;
  readonly contextId: string;
}
export const FreeContextRequest: Message<FreeContextRequest>;

export interface FreeContextResponse {
  readonly freed: boolean;
}
export const FreeContextResponse: Message<FreeContextResponse>;
