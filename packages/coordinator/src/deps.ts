/**
 * Dependencies of coordinated requests: the applied cluster state, the transport, clock and random port, and tables
 * of the node.
 */
import type { ClusterState, Settings, Task } from "@orrery/cluster-state";
import type { PipelineTable } from "@orrery/ingest";
import type { Clock, RequestContext, Transport } from "@orrery/ports";
import type { Scripts, SearchLanguage } from "@orrery/query";
import type { Random } from "@orrery/stdx";

/** Dependencies of one coordinated request. */
export interface CoordinatorDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly language: SearchLanguage;
  /** Compiled scripts, shared by all requests of the node. */
  readonly scripts: Scripts;
  /** Compiled ingest pipelines, shared by all requests of the node. */
  readonly pipelines: PipelineTable;
  /** Receives an error of an ingest processor that is no `OperationError`, that is, a bug. The document fails alone. */
  readonly onUnforeseen?: (processor: string, thrown: unknown) => void;
  /** Principal, headers and deadline of the request; each message carries it. */
  readonly context: RequestContext;
  /** Settings of this node's configuration, which hold where the cluster settings have no value. */
  readonly nodeSettings?: Settings;
  /** Limit of bytes of concurrent writes (`indexing_pressure.memory.limit`); `undefined`: no limit. */
  readonly indexingLimitBytes?: () => number;
  /** Called when a copy in a zone of weight 0 is asked because the cluster fails open. */
  readonly onFailOpen?: () => void;
  /** The last cluster state that this node applied. */
  state(): ClusterState;
  /**
   * Resolves with the first applied state that satisfies the predicate, or with the current one and `timedOut` after
   * `timeoutMs`.
   */
  stateWhen(
    reached: (state: ClusterState) => boolean,
    timeoutMs: number,
  ): Promise<{ readonly state: ClusterState; readonly timedOut: boolean }>;
  /**
   * Submits a cluster state update task to the elected cluster manager. `acknowledged` is false when some node did
   * not apply it within the timeout.
   */
  submit(
    task: Task,
    options?: { readonly managerTimeoutMs?: number; readonly ackTimeoutMs?: number },
  ): Promise<{ readonly acknowledged: boolean }>;
}
