/** The coordinating node: routes writes, scatters searches, reduces, broadcasts. Elections are `cluster-manager`'s. */
export { createCoordinator, type CoordinatorDeps } from "./coordinator.ts";
export { planIndex, type NewIndexRequest, type PlannedIndex } from "./new-index.ts";
export type {
  Admin,
  BroadcastRequest,
  BroadcastResponse,
  BulkRequest,
  BulkResponse,
  CountResponse,
  Documents,
  GetRequest,
  GetResult,
  Searches,
  SearchRequest,
  SearchResponse,
  ShardAnswers,
  ShardCounts,
  SourceFilter,
  WriteFailure,
  WriteItem,
  WriteOptions,
  WriteResult,
} from "./types.ts";
