/**
 * Adaptive replica selection: ranks nodes by response time, service time and queue size that this node has observed.
 *
 * Source: `ResponseCollectorService`, `IndexShardRoutingTable.rankShardsAndUpdateStats`; smoothing factor α = 0.3.
 * The rank is response time − service time + queue³ × service time.
 */
import { compareText, type NodeId } from "@orrery/stdx";

/** Statistics of other nodes, as this node observed them. */
export interface ReplicaSelection {
  /** Counts a request as outstanding; called before it is sent. */
  sent(nodeId: NodeId): void;
  /** Ends an outstanding request with the values that the node reported; `undefined` when the request failed. */
  ended(nodeId: NodeId, observed: Observation | undefined): void;
  /** Drops the statistics of a node that left the cluster. */
  forget(nodeId: NodeId): void;
  /**
   * Rank of a node: copies on the node with the lowest rank are asked first. `undefined`: there are no observations,
   * and the node comes before all others.
   */
  rank(nodeId: NodeId): number | undefined;
  /** Number of requests to the node without an answer. */
  outstanding(nodeId: NodeId): number;
  /** Smoothed observations of each node that has answered, in the order of node ids. */
  known(): readonly (Observation & { readonly nodeId: NodeId })[];
}

/** Values of one response, or their exponentially weighted averages. */
export interface Observation {
  readonly queueSize: number;
  readonly responseTimeMs: number;
  readonly serviceTimeMs: number;
}

const ALPHA = 0.3;

/** Empty statistics; a node without observations ranks first, so each node is tried. */
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
