/** What the parts of a shard worker share: the world, the node it belongs to, the applied state, the copies. */
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

export interface FailedCopy {
  readonly failure: CopyFailure;
  isSending: boolean;
}

export interface WorkerContext {
  readonly nodeId: NodeId;
  readonly nodeName: string;
  readonly worker: number;
  readonly workerCount: number;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly random: Random;
  readonly endpoint: Endpoint;
  /** By `indexUuid/shard`. */
  readonly copies: Map<string, ShardCopy>;
  /** By index uuid. */
  readonly indices: Map<string, IndexService>;
  readonly contexts: SearchContexts;
  /** Of requests that read. */
  readonly memory: SharedMemory;
  readonly plugins: readonly ShardPlugin[];
  /** The core's and those of the plugins. */
  readonly segmentParts: SegmentParts;
  readonly language: SearchLanguage;
  /** Of all requests to its shards. */
  readonly scripts: Scripts;
  readonly repositories: WorkerRepositories;
  /** Shards are written to repositories a few at a time, as by the product's thread pool. */
  readonly snapshotSlots: Slots;
  /** By `snapshotUuid/indexUuid/shard`, oldest first. */
  readonly snapshots: Map<string, ShardSnapshotRun>;
  /** Allocation ids of copies that failed here, until the routing table forgets them. */
  readonly failed: Map<string, FailedCopy>;
  /** Mappings that are proposed to the cluster manager at the moment, by index uuid. */
  readonly mappingProposals: Map<string, Promise<void>>;
  lastRecoveryId: number;
  lastStateWaiter: number;
  isStopped: boolean;
  /** As last applied; `undefined` before the first. */
  state: ClusterState | undefined;
  /** Puts the plugins' guards around the handler of an action. */
  readonly guard: (action: string, handler: Handler) => Handler;
  log(level: LogLevel, message: string): void;
  /** A bug that a request met, with its stack: not more often than the log bears. */
  tellUnforeseen(message: string): void;
  trace(event: TraceEvent): void;
  /** The next state for which the claim holds, the applied one included; `undefined` when the time is up. */
  stateWhen(
    reached: (state: ClusterState) => boolean,
    timeoutMs?: number,
  ): Promise<ClusterState | undefined>;
}
