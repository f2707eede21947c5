/** Node-to-node messages: action names, and codecs generated from `proto/`. */
export { readWireJson, readWireObject, wireJson } from "./wire-json.ts";
export { readWireProblem, wireProblem } from "./wire-problem.ts";
export { actions } from "./actions.ts";
export { actionOfEach, noResult } from "./several-shards.ts";
export {
  actionRows,
  type ActionRow,
  type ClientPermission,
  type Permission,
  type Sender,
} from "./action-rows.ts";
export {
  AppliedTask,
  decodeHardState,
  decodeRaftMessage,
  decodeSnapshot,
  decodeStoredEntry,
  encodeHardState,
  encodeRaftMessage,
  encodeSnapshot,
  encodeStoredEntry,
  Proposal,
  SnapshotData,
} from "./consensus.ts";
export {
  decodeNode,
  encodeNode,
  FollowerCheckRequest,
  FollowerCheckResponse,
  JoinRequest,
  JoinResponse,
  LeaderCheckRequest,
  ManagerElected,
  PeersRequest,
  PeersResponse,
  readNode,
} from "./membership.ts";
export {
  ManagerRequest,
  ManagerResponse,
  ReadIndexResponse,
  ShardFailedRequest,
  ShardStartedRequest,
  StateApplied,
  StoredFile,
  StoredShardRequest,
  StoredShardResponse,
  SubmitTaskRequest,
  SubmitTaskResponse,
} from "./publication.ts";
export {
  NodeRequest,
  NodeResponse,
  ReplicatedAdminResponse,
  ShardAdminRequest,
  ShardAdminResponse,
} from "../generated/control.js";
export {
  BulkItem,
  BulkItemResult,
  BulkShardRequest,
  BulkShardResponse,
  GetItem,
  GetItemResult,
  GetShardRequest,
  GetShardResponse,
  ShardFailure,
  ShardInfo,
  WantedSource,
} from "../generated/document.js";
export {
  CanMatchResponse,
  CreateContextRequest,
  CreateContextResponse,
  FetchPhasePart,
  FetchPhaseRequest,
  FetchPhaseRequests,
  FetchPhaseResponse,
  FreeContextRequest,
  FreeContextResponse,
  QueryPhaseResponse,
  ScrollQueryRequest,
  ShardResult,
  ShardResults,
  ShardSearchPart,
  ShardSearchRequest,
  ShardSearchRequests,
  StatisticsResponse,
  UpdateContextRequest,
  UpdateContextResponse,
} from "../generated/search.js";
export {
  CleanFilesRequest,
  FileChunkRequest,
  FilesInfoRequest,
  FinalizeRecoveryRequest,
  HandoffRequest,
  PrepareOperationsRequest,
  RecoverOperationsRequest,
  RecoveryFile,
  RecoveryHeader,
  RecoveryStepResponse,
  StartRecoveryRequest,
  StartRecoveryResponse,
} from "../generated/recovery.js";
export {
  GlobalCheckpointSyncRequest,
  ReplicaAdminRequest,
  ReplicaHeader,
  ReplicaOperationsRequest,
  ReplicaResponse,
  RetentionLeaseSyncRequest,
} from "../generated/replication.js";
