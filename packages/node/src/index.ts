/** A node: roles composed over a host, started and stopped, and the cluster as seen through it. */
export { changeMapping, type MappingChange } from "./change-mapping.ts";
export { startNode, type Node } from "./boot.ts";
export { connectingHandshake, type ConnectingHandshake } from "./handshake.ts";
export type {
  Cluster,
  DanglingIndices,
  NodeInfoFacts,
  NodesAnswer,
  NodesStatsRequest,
  NodeStatsFacts,
} from "./cluster.ts";
export { nodeInfoMetrics, nodeStatsMetrics, type NodeSection } from "./node-sections.ts";
export type {
  BeginPluginTerm,
  OperationCall,
  Plugin,
  PluginInstance,
  PluginNode,
  PluginOperation,
  PluginTermService,
} from "./plugin.ts";
export {
  composeProduct,
  coreProduct,
  settingHasEffect,
  settingProblem,
  settingsProblem,
  type Product,
} from "./product.ts";
export type {
  RemoteClusters,
  RemoteInfo,
  RemoteRequestOptions,
} from "./remotes/remote-clusters.ts";
export { importOf, type DanglingIndex } from "./dangling.ts";
export type { ShardPlace, ShardStoresOfNodes } from "./shard-stores.ts";
export {
  planBackingIndex,
  planDataStream,
  planIndex,
  bytesOfWrite,
  reductionFailed,
  type NewIndexRequest,
  type PlannedIndex,
} from "@orrery/coordinator";
export {
  createPipeline,
  METADATA,
  type Metadata,
  Options,
  isTreeObject,
  javaText,
  printTree,
  readMap,
  type ProcessorTypes,
  type TreeObject,
} from "@orrery/ingest";
export {
  anonymous,
  beginTrace,
  createCaller,
  createCancellation,
  guarded,
  inTurns,
  MAIN_TURN_MS,
  withCaller,
  type Caller,
  type Cancellation,
  type OpenSpan,
  type Principal,
  type RequestContext,
  type SpanSink,
  type Tracer,
} from "@orrery/ports";
export {
  composeShards,
  startShardWorker,
  type ShardPlugin,
  type ShardWorker,
} from "@orrery/shard-worker";
export type { ActionRow, ClientPermission, Permission } from "@orrery/protocol";
export { corsPolicyOf } from "./cors.ts";
export { inFlightLimitOf, maxContentLengthOf, productVersion, type NodeConfig } from "./config.ts";
export type {
  DecommissionRequest,
  ExplainAllocationRequest,
  Managed,
  ManagedOperation,
  ShardStats,
  ShardStatus,
  ShownSnapshot,
  SnapshotStatus,
  PendingTask,
  RerouteRequest,
  RerouteResponse,
  SubmitOptions,
  TaskPriority,
} from "@orrery/cluster-manager";
export type {
  BroadcastRequest,
  BulkRequest,
  GetRequest,
  GetResult,
  SearchRequest,
  SearchResponse,
  SimulatedDocument,
  WaitingClient,
  ShardAnswers,
  ShardCounts,
  SourceFilter,
  WriteFailure,
  WriteItem,
  WriteOptions,
  WriteResult,
} from "@orrery/coordinator";
