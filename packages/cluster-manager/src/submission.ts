/**
 * Submission of cluster state update tasks from any node (`TransportClusterManagerNodeAction`): the task is sent to the
 * elected cluster manager, and again to the next one, until it is acknowledged, rejected, or its timeout expires.
 *
 * Each retry carries the id of the first attempt. A cluster manager that lost its term may have committed the task, and
 * the next one finds the id in the log (INV-COORD-4), so the task is applied once however often it is sent.
 */
import { encodeEntry, type ClusterState, type Task } from "@orrery/cluster-state";
import {
  createCancellation,
  delay,
  underContext,
  type Clock,
  type RequestContext,
  type Transport,
} from "@orrery/ports";
import { actions, SubmitTaskRequest, SubmitTaskResponse } from "@orrery/protocol";
import { newUuid, problemOf, type NodeId, type Problem, type Random } from "@orrery/stdx";
import { isLostWithManager, notDiscovered } from "./problems.ts";
import type { LocalState } from "./local-state.ts";
import { priorityOf, sourceOf } from "./priorities.ts";
import type { SubmitOptions } from "./types.ts";

const defaultTimeoutMs = 30_000;
/** Pause after a request that failed with its cluster manager. */
const pauseMs = 50;

export interface SubmissionOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly transport: Transport;
  readonly local: LocalState;
  /** True when this node has applied the entry, false after the timeout. A negative timeout never expires. */
  readonly appliedHere: (index: number, timeoutMs: number) => Promise<boolean>;
}

/** Requests of one node to the elected cluster manager. */
export interface Submission {
  /** Resolves when the task is committed, and applied here unless the acknowledgement timeout expires first. */
  submit(task: Task, options?: SubmitOptions): Promise<Submitted>;
  /**
   * Sends a request to the elected cluster manager of the moment, until one answers or rejects it. Rejects with
   * `cluster_manager_not_discovered_exception` when the limits expire. The action must tolerate repetition.
   */
  toManager(action: string, payload: Uint8Array, limits: Limits): Promise<Uint8Array>;
  readonly appliedHere: SubmissionOptions["appliedHere"];
  /** The submission on behalf of a request, whose context its messages carry. */
  under(context: RequestContext): Submission;
}

/** Outcome of a committed task. */
export interface Submitted {
  /** Whether every node, this one included, has applied the task within the acknowledgement timeout. */
  readonly acknowledged: boolean;
  /** Log index and version of the state that contains the task. */
  readonly index: number;
  readonly version: number;
}

/** Time limits of a request, in milliseconds. */
export interface Limits {
  /** Time to find an elected cluster manager that accepts the request. Negative: unlimited. */
  readonly managerTimeoutMs: number;
  /** Time that the cluster manager may need beyond that. Negative: unlimited. */
  readonly workTimeoutMs: number;
}

/** Submission over the node's transport. */
export function createSubmission(options: SubmissionOptions): Submission {
  const { clock, random, transport, local, appliedHere } = options;

  const hasManager = ({ managerNodeId }: ClusterState): boolean => managerNodeId !== undefined;

  /** The answer of one cluster manager; the request is cancelled when the shown state names another one, or none. */
  const ask = async (
    managerId: NodeId,
    timeoutMs: number,
    { action, payload }: { readonly action: string; readonly payload: Uint8Array },
  ): Promise<Uint8Array> => {
    const cancellation = createCancellation();
    const forget = local.onApplied((state) => {
      if (state.managerNodeId !== managerId) cancellation.cancel("cluster manager changed");
    });
    const limit = timeoutMs > 0 ? { timeoutMs } : {};
    try {
      return await transport.request(managerId, action, payload, { cancellation, ...limit });
    } finally {
      forget();
    }
  };

  const toManager = async (
    action: string,
    payload: Uint8Array,
    { managerTimeoutMs, workTimeoutMs }: Limits,
  ): Promise<Uint8Array> => {
    const deadlineMs = managerTimeoutMs < 0 ? Infinity : clock.monotonicMs() + managerTimeoutMs;
    let cause: Problem | undefined;
    for (;;) {
      const leftMs = Math.max(0, deadlineMs - clock.monotonicMs());
      // At once when a cluster manager is known. The pause below keeps a node from flooding one that rejects.
      const { state } = await local.when(hasManager, leftMs === Infinity ? -1 : leftMs);
      const { managerNodeId } = state;
      if (managerNodeId === undefined) throw notDiscovered(cause);
      const limitMs =
        leftMs === Infinity || workTimeoutMs < 0 ? -1 : Math.max(1, leftMs + workTimeoutMs);
      try {
        return await ask(managerNodeId, limitMs, { action, payload });
      } catch (error) {
        const problem = problemOf(error);
        if (!isLostWithManager(problem)) throw error;
        cause = problem;
      }
      if (clock.monotonicMs() >= deadlineMs) throw notDiscovered(cause);
      await delay(clock, Math.min(pauseMs, Math.max(1, deadlineMs - clock.monotonicMs())));
    }
  };

  return {
    appliedHere,
    toManager,
    under: (context) =>
      createSubmission({ ...options, transport: underContext(transport, context) }),
    async submit(task, how = {}) {
      const { managerTimeoutMs = defaultTimeoutMs, ackTimeoutMs = defaultTimeoutMs } = how;
      const payload = SubmitTaskRequest.encode({
        id: newUuid(random),
        task: encodeEntry({ tasks: [task] }),
        source: how.source ?? sourceOf(task),
        priority: how.priority ?? priorityOf(task),
        managerTimeoutMs,
        ackTimeoutMs,
      }).finish();
      const limits = { managerTimeoutMs, workTimeoutMs: ackTimeoutMs };
      const answer = await toManager(actions.managerTask, payload, limits);
      const { acknowledged, index, version } = SubmitTaskResponse.decode(answer);
      // Read your writes: the next request on this node finds the change even if the acknowledgement timed out elsewhere.
      const isAppliedHere = await appliedHere(index, ackTimeoutMs);
      return { acknowledged: acknowledged && isAppliedHere, index, version };
    },
  };
}
