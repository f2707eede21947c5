/**
 * Driver of joining (`JoinHelper`): sends join requests to the elected cluster manager until this node is a member.
 *
 * An accepted request answers with the Raft id under which the node holds the log; membership itself arrives as an entry
 * of that log. `joining-step.ts` decides; this file sends requests and holds the timer.
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

/** Time limit of a request: the answer needs one round of consensus at most (a Raft id), and a lost request is repeated after it. */
const timeoutMs = 3000;

export interface JoiningOptions {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly log: Log;
  readonly localNode: DiscoveryNode;
  /** The node's cluster, its Raft id and the extent of its log, at the moment of the request. */
  readonly identity: () => {
    /** Empty when the node belongs to no cluster. */
    readonly clusterUuid: string;
    /** 0 before the node has one. */
    readonly raftId: number;
    /** Whether any entry or snapshot was applied. */
    readonly hasLog: boolean;
    /** Whether the store lost part of what the node acknowledged. */
    readonly isLogLost: boolean;
    /** Skipped entries, flat: index and term in turn. */
    readonly skipped: readonly number[];
    readonly appliedIndex: number;
    /** Last index of the log and term of the hard state, as the store had them when this process started. */
    readonly startedIndex: number;
    readonly startedTerm: number;
  };
  /** Adopts the Raft id of the response; the manager's own Raft id in it gives the sender of the log. */
  readonly accepted: (managerId: NodeId, response: JoinResponse) => void;
  readonly refused: (problem: Problem) => void;
  /** `discovery.find_peers_interval_during_decommission`. */
  readonly decommissionedPauseMs: () => number;
}

/** Joining of one node. */
export interface Joining {
  /** Sets the cluster manager to send requests to; undefined for a member, and while none is known. */
  consider(manager: DiscoveryNode | undefined): void;
  /** Whether the last answer was that the zone of this node is decommissioned. */
  readonly isDecommissioned: boolean;
  stop(): void;
}

/** Joining without a known cluster manager. */
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
