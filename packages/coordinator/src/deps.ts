/** What coordinating needs of its node: the applied cluster state, requests to other nodes, time and chance. */
import type { ClusterState, Settings, Task } from "@orrery/cluster-state";
import type { PipelineTable } from "@orrery/ingest";
import type { Clock, RequestContext, Transport } from "@orrery/ports";
import type { Scripts, SearchLanguage } from "@orrery/query";
import type { Random } from "@orrery/stdx";

export interface CoordinatorDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly language: SearchLanguage;
  /** Of the node, for all its requests. */
  readonly scripts: Scripts;
  /** Of the node, for all its requests. */
  readonly pipelines: PipelineTable;
  /** Told of what a processor of an ingest pipeline threw that is no problem. */
  readonly onUnforeseen?: (processor: string, thrown: unknown) => void;
  /** Of the request. */
  readonly context: RequestContext;
  /** The node's own settings hold where the cluster's say nothing. */
  readonly nodeSettings?: Settings;
  /** How many bytes of writes may be coordinated at the same time; default: any number. */
  readonly indexingLimitBytes?: () => number;
  /** A copy was asked although its zone has no weight. */
  readonly onFailOpen?: () => void;
  state(): ClusterState;
  stateWhen(
    reached: (state: ClusterState) => boolean,
    timeoutMs: number,
  ): Promise<{ readonly state: ClusterState; readonly timedOut: boolean }>;
  submit(
    task: Task,
    options?: { readonly managerTimeoutMs?: number; readonly ackTimeoutMs?: number },
  ): Promise<{ readonly acknowledged: boolean }>;
}
