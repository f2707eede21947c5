/**
 * Which copy answers first: adaptive replica selection. Ranks come from what this node saw of others' answers.
 *
 * Source: `ResponseCollectorService`, `IndexShardRoutingTable.rankShardsAndUpdateStats`; α = 0.3, queue penalty to the third.
 */
import { compareText, type NodeId } from "@orrery/stdx";

export interface ReplicaSelection {
  /** Before a request goes out. */
  sent(nodeId: NodeId): void;
  /** After it ended, with what the node reported; `undefined` on failure. */
  ended(nodeId: NodeId, observed: Observation | undefined): void;
  forget(nodeId: NodeId): void;
  /** Lower is better; `undefined`: nothing is known, which comes first. */
  rank(nodeId: NodeId): number | undefined;
  outstanding(nodeId: NodeId): number;
  /** What is known of each node that answered, in order of ids. */
  known(): readonly (Observation & { readonly nodeId: NodeId })[];
}

export interface Observation {
  readonly queueSize: number;
  readonly responseTimeMs: number;
  readonly serviceTimeMs: number;
}

const ALPHA = 0.3;

export function createReplicaSelection(): ReplicaSelection {
  const averages = new Map<NodeId, Observation>();
  const running = new Map<NodeId, number>();
  const outstanding = (nodeId: NodeId): number => running.get(nodeId) ?? 0;
  return {
    outstanding,
    known: () =>
      [...averages]
        .map(([nodeId, observed]) => ({ nodeId, ...observed }))
        .toSorted((a, b) => compareText(a.nodeId, b.nodeId)),
    sent: (nodeId) => void running.set(nodeId, outstanding(nodeId) + 1),
    ended: (nodeId, observed) => {
      running.set(nodeId, Math.max(0, outstanding(nodeId) - 1));
      if (observed === undefined) return;
      const before = averages.get(nodeId) ?? observed;
      averages.set(nodeId, {
        queueSize: ALPHA * observed.queueSize + (1 - ALPHA) * before.queueSize,
        responseTimeMs: ALPHA * observed.responseTimeMs + (1 - ALPHA) * before.responseTimeMs,
        serviceTimeMs: ALPHA * observed.serviceTimeMs + (1 - ALPHA) * before.serviceTimeMs,
      });
    },
    forget: (nodeId) => {
      averages.delete(nodeId);
      running.delete(nodeId);
    },
    rank: (nodeId) => {
      const seen = averages.get(nodeId);
      if (seen === undefined) return undefined;
      const queue = 1 + outstanding(nodeId) * Math.max(1, averages.size) + seen.queueSize;
      return seen.responseTimeMs - seen.serviceTimeMs + queue ** 3 * seen.serviceTimeMs;
    },
  };
}
