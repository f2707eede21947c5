/**
 * The coordinating node: routes writes, scatters searches, reduces, broadcasts. Elections (the product's class
 * `Coordinator`) are in `cluster-manager`.
 */
export { createCoordinator, type Coordinator, type CoordinatorDeps } from "./coordinator.ts";
export { CoordinatorRequests } from "./coordinator-requests.ts";
export { bytesOfWrite, type IndexingPressureCounts } from "./indexing-pressure.ts";
export { reductionFailed } from "./search/failures.ts";
export {
  planBackingIndex,
  planDataStream,
  planIndex,
  type NewIndexRequest,
  type PlannedIndex,
} from "./new-index.ts";
export type {
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
  WaitingClient,
  SearchResponse,
  ShardAnswers,
  ShardCounts,
  SimulatedDocument,
  SimulatePipelineRequest,
  SourceFilter,
  WriteFailure,
  WriteItem,
  WriteOptions,
  WriteResult,
} from "./types.ts";
