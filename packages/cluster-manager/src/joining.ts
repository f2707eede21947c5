/**
 * How this node gets into a cluster: it asks the elected cluster manager, once it knows one, until it is a member.
 *
 * The answer is the Raft id under which it may hold the log; membership comes with the log itself. `joining-step.ts` decides; this file
 * sends what it asks for, and holds its timer.
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
import { problemOf, unreachable, type NodeId, type Problem } from "@orrery/stdx";
import {
  joiningStep,
  notJoining,
  type JoiningEffect,
  type JoiningEvent,
  type JoiningState,
} from "./joining-step.ts";

/** An answer takes one round of consensus; a request that is lost on the way must not cost more. */
const timeoutMs = 3000;

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
  let state: JoiningState = notJoining;
  let asking: CancellationSource | undefined;
  let cancelRetry: CancelTimer = () => undefined;

  const handle = (event: JoiningEvent): void => {
    const step = joiningStep(state, event);
    ({ state } = step);
    step.effects.forEach(carryOut);
  };

  const carryOut = (effect: JoiningEffect): void => {
    switch (effect.kind) {
      case "ask":
        void ask(effect.manager);
        break;
      case "cancel-request":
        asking?.cancel(effect.reason);
        break;
      case "set-retry":
        cancelRetry();
        cancelRetry = clock.setTimer(effect.delayMs, () => handle({ kind: "retry-due" }));
        break;
      case "cancel-retry":
        cancelRetry();
        break;
      case "warn":
        options.log("warn", effect.message);
        break;
      case "report-refusal":
        options.refused(effect.problem);
        break;
      default:
        unreachable(effect);
    }
  };

  const ask = async (to: DiscoveryNode): Promise<void> => {
    asking = createCancellation();
    const request = JoinRequest.encode({ node: encodeNode(localNode), ...options.identity() });
    try {
      const payload = await transport.request(to.id, actions.join, request.finish(), {
        timeoutMs,
        cancellation: asking,
      });
      handle({ kind: "answered" });
      options.accepted(to.id, JoinResponse.decode(payload));
      handle({ kind: "accepted", nowMs: clock.monotonicMs() });
    } catch (error) {
      handle({
        kind: "refused",
        problem: problemOf(error),
        nowMs: clock.monotonicMs(),
        decommissionedPauseMs: options.decommissionedPauseMs(),
      });
    } finally {
      asking = undefined;
    }
  };

  return {
    get isDecommissioned() {
      return state.isDecommissioned;
    },
    consider: (manager) => handle({ kind: "manager-known", manager, nowMs: clock.monotonicMs() }),
    stop: () => handle({ kind: "stopped" }),
  };
}
