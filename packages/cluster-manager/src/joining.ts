/**
 * How this node gets into a cluster: it asks the elected cluster manager, once it knows one, until it is a member.
 *
 * The answer is the Raft id under which it may hold the log; membership comes with the log itself.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import {
  createCancellation,
  type CancellationSource,
  type CancelTimer,
  type Clock,
  type Log,
  type Transport,
} from "@orrery/ports";
import { actions, JoinRequest, JoinResponse, encodeNode } from "@orrery/protocol";
import { problemOf, type NodeId, type Problem } from "@orrery/stdx";
import { isLostWithManager } from "./problems.ts";

const firstRetryMs = 20;
const retryMsMost = 1000;
/** An answer takes one round of consensus; a request that is lost on the way must not cost more. */
const timeoutMs = 3000;
/** After an answer, before asking again while the log has not come. */
const patienceMs = 2000;

export interface JoiningOptions {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly log: Log;
  readonly localNode: DiscoveryNode;
  /** Of the log this node holds. */
  readonly identity: () => {
    readonly clusterUuid: string;
    readonly raftId: number;
    readonly hasLog: boolean;
    readonly isLogLost: boolean;
    readonly skipped: readonly number[];
    readonly appliedIndex: number;
    readonly startedIndex: number;
    readonly startedTerm: number;
  };
  /** Hold the log under this id; the manager's own id says from whom it comes. */
  readonly accepted: (managerId: NodeId, response: JoinResponse) => void;
  readonly refused: (problem: Problem) => void;
  /** How long a node of a decommissioned zone waits before it asks again. */
  readonly decommissionedPauseMs: () => number;
}

export interface Joining {
  /** The manager to ask, while this node is no member. */
  consider(manager: DiscoveryNode | undefined): void;
  /** The last answer was that its zone is out of the cluster. */
  readonly isDecommissioned: boolean;
  stop(): void;
}

export function createJoining(options: JoiningOptions): Joining {
  const { clock, transport, localNode } = options;
  let manager: DiscoveryNode | undefined;
  let asking: CancellationSource | undefined;
  let delayMs = firstRetryMs;
  let cancelRetry: CancelTimer | undefined;
  let lastRefusal = "";
  let isDecommissioned = false;
  /** Whoever is elected: nobody is asked before. */
  let notBeforeMs = 0;

  const again = (afterMs: number): void => {
    cancelRetry?.();
    const waitMs = Math.max(afterMs, notBeforeMs - clock.monotonicMs());
    cancelRetry = clock.setTimer(waitMs, () => {
      cancelRetry = undefined;
      if (manager !== undefined) void ask(manager);
    });
  };

  const tellRefusal = (problem: Problem): void => {
    const text = `failed to join ${manager?.name ?? ""}: ${problem.type}: ${problem.reason}`;
    if (text !== lastRefusal) options.log("warn", text);
    lastRefusal = text;
    options.refused(problem);
  };

  const stayAway = (): void => {
    if (!isDecommissioned) {
      options.log("warn", "local node is decommissioned. Will not be able to join the cluster");
    }
    isDecommissioned = true;
    notBeforeMs = clock.monotonicMs() + options.decommissionedPauseMs();
  };

  const ask = async (to: DiscoveryNode): Promise<void> => {
    if (asking !== undefined) return;
    const cancellation = createCancellation();
    asking = cancellation;
    const request = JoinRequest.encode({
      node: encodeNode(localNode),
      ...options.identity(),
    }).finish();
    try {
      const payload = await transport.request(to.id, actions.join, request, {
        timeoutMs,
        cancellation,
      });
      isDecommissioned = false;
      options.accepted(to.id, JoinResponse.decode(payload));
      delayMs = firstRetryMs;
      if (manager !== undefined) again(patienceMs);
    } catch (error) {
      const problem = problemOf(error);
      if (problem.type === "node_decommissioned_exception") stayAway();
      if (!isLostWithManager(problem) && problem.isRetryable !== true) tellRefusal(problem);
      if (manager !== undefined) again(delayMs);
      delayMs = Math.min(delayMs * 2, retryMsMost);
    } finally {
      asking = undefined;
    }
  };

  return {
    get isDecommissioned() {
      return isDecommissioned;
    },
    consider(next) {
      const isNew = next?.id !== manager?.id;
      manager = next;
      if (isNew) asking?.cancel("another node is the elected cluster manager");
      if (next === undefined) {
        cancelRetry?.();
        cancelRetry = undefined;
        delayMs = firstRetryMs;
        lastRefusal = "";
      } else if (isNew) {
        delayMs = firstRetryMs;
        again(0);
      }
    },
    stop() {
      manager = undefined;
      asking?.cancel("node is closed");
      cancelRetry?.();
    },
  };
}
