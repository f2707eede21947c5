/** The context that all parts of a shard worker share: the world's ports, the node, the applied state, the copies. */
import type { ClusterState } from "@orrery/cluster-state";
import type { Clock, Disk, Endpoint, Handler, LogLevel, TraceEvent } from "@orrery/ports";
import type { SegmentParts } from "@orrery/segment";
import type { Scripts, SearchLanguage, SharedMemory } from "@orrery/query";
import type { NodeId, Random } from "@orrery/stdx";
import type { ShardCopy } from "./copy/shard-copy.ts";
import type { IndexService } from "./index-service.ts";
import type { CopyFailure } from "./manager.ts";
import type { ShardPlugin } from "./plugin.ts";
import type { SearchContexts } from "./search/contexts.ts";
import type { WorkerRepositories } from "./snapshot/repositories.ts";
import type { Slots } from "./snapshot/slots.ts";
import type { ShardSnapshotRun } from "./snapshot/take.ts";

/** A copy that has failed, and whether its report to the cluster manager is being sent. */
export interface FailedCopy {
  readonly failure: CopyFailure;
  isSending: boolean;
}

/** The state of one worker, shared by all of its code. Its maps are changed in place. */
export interface WorkerContext {
  readonly nodeId: NodeId;
  readonly nodeName: string;
  readonly worker: number;
  readonly workerCount: number;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly random: Random;
  readonly endpoint: Endpoint;
  /** The copies that this worker hosts, by `indexUuid/shard`. */
  readonly copies: Map<string, ShardCopy>;
  /** Mapping, settings and caches that all copies of one index share, by index uuid. */
  readonly indices: Map<string, IndexService>;
  readonly contexts: SearchContexts;
  /** The memory of requests that read, shared by all shards of the worker. */
  readonly memory: SharedMemory;
  readonly plugins: readonly ShardPlugin[];
  /** Kinds of segment parts, of the core and of plugins. */
  readonly segmentParts: SegmentParts;
  readonly language: SearchLanguage;
  /** Compiled scripts of all requests to this worker's shards. */
  readonly scripts: Scripts;
  readonly repositories: WorkerRepositories;
  /** Limits the shards that are written to repositories at a time, as the product's thread pool `snapshot` does. */
  readonly snapshotSlots: Slots;
  /** Shard snapshots by `snapshotUuid/indexUuid/shard`, oldest first; ended ones are remembered for a while. */
  readonly snapshots: Map<string, ShardSnapshotRun>;
  /** Copies that failed here, by allocation id, until the routing table no longer has them. */
  readonly failed: Map<string, FailedCopy>;
  /** Mapping changes that are proposed to the cluster manager, by index uuid. */
  readonly mappingProposals: Map<string, Promise<void>>;
  lastRecoveryId: number;
  lastStateWaiter: number;
  isStopped: boolean;
  /** The state that was applied last; `undefined` before the first. */
  state: ClusterState | undefined;
  /** Wraps a handler in the plugins' guards. */
  readonly guard: (action: string, handler: Handler) => Handler;
  log(level: LogLevel, message: string): void;
  /** Logs a bug that a request has met, with its stack, at a limited rate. */
  tellUnforeseen(message: string): void;
  trace(event: TraceEvent): void;
  /**
   * The first applied state for which `reached` is true, the current one included; `undefined` after the time-out, or
   * when the worker stops.
   */
  stateWhen(
    reached: (state: ClusterState) => boolean,
    timeoutMs?: number,
  ): Promise<ClusterState | undefined>;
}
