/**
 * How any node changes the cluster state: through the elected cluster manager, again and again until it is known to be
 * done or refused, or the time is up. The proposal keeps its id, so it is applied once however often it is sent.
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
/** Before a manager that did not take it is asked again, unless another one appears first. */
const pauseMs = 50;

export interface SubmissionOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly transport: Transport;
  readonly local: LocalState;
  /** Ends when this node has applied the entry; false when the time was up. Negative: no end. */
  readonly appliedHere: (index: number, timeoutMs: number) => Promise<boolean>;
}

export interface Submission {
  submit(task: Task, options?: SubmitOptions): Promise<Submitted>;
  /** Sends a request to whoever is elected until one answers it. */
  toManager(action: string, payload: Uint8Array, limits: Limits): Promise<Uint8Array>;
  readonly appliedHere: SubmissionOptions["appliedHere"];
  /** The same for one request: what it sends carries its context. */
  under(context: RequestContext): Submission;
}

export interface Submitted {
  readonly acknowledged: boolean;
  readonly index: number;
  readonly version: number;
}

export interface Limits {
  /** To find an elected cluster manager that takes it. Negative: no end. */
  readonly managerTimeoutMs: number;
  /** What the manager may need on top, once it has it. Negative: no end. */
  readonly workTimeoutMs: number;
}

export function createSubmission(options: SubmissionOptions): Submission {
  const { clock, random, transport, local, appliedHere } = options;

  const hasManager = ({ managerNodeId }: ClusterState): boolean => managerNodeId !== undefined;

  /** The answer of this manager; cut short when another one is elected or this one is lost. */
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
      const isAppliedHere = await appliedHere(index, ackTimeoutMs);
      return { acknowledged: acknowledged && isAppliedHere, index, version };
    },
  };
}
