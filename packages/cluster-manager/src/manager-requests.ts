/** Requests of any node to the elected cluster manager on behalf of a client: encoding, time limits, and the wait until the local node has applied the state of the answer. */
import { decodeState } from "@orrery/cluster-state";
import type { Clock } from "@orrery/ports";
import {
  actions,
  ManagerRequest,
  ManagerResponse,
  ReadIndexResponse,
  readWireJson,
  wireJson,
} from "@orrery/protocol";
import { emptyBytes, setKey, type Json, type JsonObject } from "@orrery/stdx";
import { abdicationTimeoutMs } from "./decommission.ts";
import type { LocalState } from "./local-state.ts";
import { notDiscovered } from "./problems.ts";
import type { Reads } from "./reads.ts";
import type { Limits, Submission } from "./submission.ts";
import type {
  ClusterManager,
  ManagedBodies,
  ManagedOperation,
  ManageLimits,
  ManagerRequests,
  PendingTask,
} from "./types.ts";

/** Time limit of requests without one of their own, to find the cluster manager; answering takes no round of consensus. */
const requestTimeoutMs = 30_000;

export interface ManagerRequestsOptions {
  readonly clock: Clock;
  readonly local: LocalState;
  readonly reads: Reads;
  readonly submission: Pick<Submission, "submit" | "toManager" | "under">;
}

/**
 * Requests to the elected cluster manager on behalf of the node; `under` makes them on behalf of a client's context.
 */
export function createManagerRequests(
  options: ManagerRequestsOptions,
): ManagerRequests & Pick<ClusterManager, "under"> {
  return {
    ...requestsBy(options),
    under: (context) => requestsBy({ ...options, submission: options.submission.under(context) }),
  };
}

function requestsBy({ clock, local, reads, submission }: ManagerRequestsOptions): ManagerRequests {
  const ask = async (action: string, body: unknown, limits: Limits): Promise<ManagerResponse> => {
    const payload = ManagerRequest.encode({ body: wireJson(withDoubles(body as Json)) }).finish();
    return ManagerResponse.decode(await submission.toManager(action, payload, limits));
  };

  return {
    async submit(task, options) {
      const { acknowledged } = await submission.submit(task, options);
      return { acknowledged };
    },
    async managerState(timeoutMs) {
      // A linearizable read (Raft thesis section 6.4): the read index covers everything acknowledged before the request,
      // and the local state may be returned once it is applied here.
      const startMs = clock.monotonicMs();
      const limits = { managerTimeoutMs: timeoutMs, workTimeoutMs: 0 };
      const answer = await submission.toManager(actions.readIndex, emptyBytes, limits);
      const { index } = ReadIndexResponse.decode(answer);
      const leftMs = (): number =>
        timeoutMs < 0 ? -1 : Math.max(1, timeoutMs - (clock.monotonicMs() - startMs));
      if (!(await reads.appliedHere(index, leftMs()))) throw notDiscovered();
      // A node that the applied state does not contain shows an older state, and answers when it has joined again.
      const { state, timedOut } = await local.when(() => local.isMember, leftMs());
      if (timedOut) throw notDiscovered();
      return state;
    },
    async reroute(request) {
      const { managerTimeoutMs, ackTimeoutMs } = request;
      const limits = { managerTimeoutMs, workTimeoutMs: ackTimeoutMs };
      const answer = await ask(actions.reroute, request, limits);
      // The other nodes have acknowledged to the cluster manager; this one may still be behind, and answers its client's
      // next request from its own state.
      const isAppliedHere = await reads.appliedHere(answer.index, ackTimeoutMs);
      return {
        acknowledged: answer.acknowledged && isAppliedHere,
        state: decodeState(answer.state),
        explanations: readWireJson(answer.body) as readonly JsonObject[],
      };
    },
    async explainAllocation(request) {
      const limits = { managerTimeoutMs: requestTimeoutMs, workTimeoutMs: 0 };
      const { body } = await ask(actions.explainAllocation, request, limits);
      return readWireJson(body) as JsonObject;
    },
    async manage<Operation extends ManagedOperation>(
      operation: Operation,
      request: JsonObject,
      { managerTimeoutMs, workTimeoutMs }: ManageLimits,
    ) {
      const answer = await ask(actions[operation], request, {
        managerTimeoutMs,
        workTimeoutMs,
      });
      const isAppliedHere = await reads.appliedHere(answer.index, workTimeoutMs);
      return {
        body: readWireJson(answer.body) as ManagedBodies[Operation],
        acknowledged: answer.acknowledged && isAppliedHere,
      };
    },
    async pendingTasks(timeoutMs) {
      const limits = { managerTimeoutMs: timeoutMs, workTimeoutMs: 0 };
      const { body } = await ask(actions.pendingTasks, {}, limits);
      return readWireJson(body) as readonly PendingTask[];
    },
    async decommission(request) {
      const { managerTimeoutMs } = request;
      // The answer takes as long as the zone's voters need to leave the configuration, which the cluster manager limits.
      // Twice that, so that a retry on a successor fits in.
      const limits = { managerTimeoutMs, workTimeoutMs: 2 * abdicationTimeoutMs };
      await ask(actions.decommission, request, limits);
    },
  };
}

/** The body with big integers rounded to doubles: the cluster manager computes and stores numbers as doubles. */
function withDoubles(value: Json): Json {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(withDoubles);
  const object: Record<string, Json | undefined> = {};
  for (const [key, item] of Object.entries(value as JsonObject))
    setKey(object, key, item === undefined ? undefined : withDoubles(item));
  return object;
}
