/** The ports: everything of the world that a node can reach, and the requests that roles send over them. */
export {
  BlobError,
  blobError,
  isAtLocation,
  type BlobAddress,
  type BlobErrorKind,
  type BlobInfo,
  type BlobOpeners,
  type BlobRange,
  type BlobStore,
  type BlobStores,
  type RemovedBlobs,
} from "./blob-stores.ts";
export { delay, type CancelTimer, type Clock } from "./clock.ts";
export { createTurns, inTurns, MAIN_TURN_MS, type Steps, type Turns } from "./turns.ts";
export { DiskError, type Disk, type DiskErrorKind, type DiskUsage } from "./disk.ts";
export {
  createEndpoint,
  type Endpoint,
  type EndpointOptions,
  type PostResult,
} from "./endpoint.ts";
export {
  decodeFrame,
  encodeFrame,
  frameVersion,
  readFrameLabel,
  type Frame,
  type FrameHeader,
  type FrameKind,
} from "./frame.ts";
export type { Host, ProcessInfo, ProcessStats } from "./host.ts";
export type { Log, LogLevel } from "./log.ts";
export {
  channelClasses,
  keepAliveMs,
  maxFrameBytes,
  openingBytesMost,
  type ChannelClass,
  type Connection,
  type ConnectionEvents,
  type Network,
} from "./network.ts";
export { createWorkList, type Work, type WorkList } from "./work.ts";
export { rareLinesMost, rareLinesMs, rareLog } from "./rare-log.ts";
export {
  createUnopenedSockets,
  unopenedSocketMs,
  unopenedSocketsMost,
  type UnopenedSockets,
} from "./unopened-sockets.ts";
export { createRequestTable, type RequestName, type RequestTable } from "./request-table.ts";
export {
  nodeIdName,
  nodeNameName,
  type NodeStore,
  type StoreBatch,
  type StoredEntry,
  type StoredNode,
} from "./node-store.ts";
export { isSeveralShards, namesOfShards, shardsMost, shardsNamed } from "./several-shards.ts";
export {
  workerFor,
  type ShardWorkerChannel,
  type ShardWorkerEvents,
  type ShardWorkers,
  type WorkerHost,
  type WorkerMessage,
} from "./shard-workers.ts";
export type {
  DiskRule,
  Links,
  NetworkRule,
  NodeRule,
  RepositoryRule,
  Rule,
  RuleKind,
  StoreRule,
} from "./rules.ts";
export type { Trace, TraceEvent } from "./trace.ts";
export {
  beginTrace,
  createTracer,
  tracedHandler,
  tracedRequests,
  type OpenSpan,
  type Span,
  type SpanSink,
  type SpanStart,
  type Tracer,
} from "./tracing.ts";
export type { Trust, TrustKey } from "./trust.ts";
export { readProblem } from "./transport-problems.ts";
export {
  underContext,
  type Handler,
  type OneWayHandler,
  type RequestOptions,
  type Transport,
} from "./transport.ts";
export { createCancellation, type Cancellation, type CancellationSource } from "./cancellation.ts";
export { guarded, guardedHandler, type ActionCall, type Guard, type GuardedCall } from "./guard.ts";
export { anonymous, callerBytesMost, createCaller, type Caller, type Principal } from "./caller.ts";
export {
  detached,
  ownWork,
  withCaller,
  withDeadline,
  type HandlerContext,
  type RequestContext,
  type TaskId,
} from "./request-context.ts";
