/**
 * Which node has applied what, as the elected cluster manager hears it: a change is acknowledged when every node of the
 * state has applied it, and a node that stays behind for too long is taken out (`LagDetector`).
 */
import type { ClusterState } from "@orrery/cluster-state";
import type { CancelTimer, Clock } from "@orrery/ports";
import type { NodeId, OperationError } from "@orrery/stdx";
import { notElected } from "./problems.ts";

export interface AcknowledgementsOptions {
  /** Index and nodes of the state with which the term begins: entries of earlier terms wait for these nodes, too. */
  readonly begin: { readonly index: number; readonly nodes: ClusterState["nodes"] };
  readonly clock: Clock;
  readonly localId: NodeId;
  readonly lagTimeoutMs: () => number;
  /** The node has not applied in time what was committed long ago. */
  readonly lagging: (nodeId: NodeId) => void;
}

export interface Acknowledgements {
  report(nodeId: NodeId, index: number): void;
  /** The elected cluster manager itself applied this. */
  applied(index: number, state: ClusterState): void;
  /** True when all nodes have applied the entry, false when the time is up. Negative: no end. */
  wait(index: number, timeoutMs: number): Promise<boolean>;
  end(): void;
}

interface Waiter {
  readonly index: number;
  readonly nodeIds: readonly NodeId[];
  readonly settle: (acknowledged: boolean) => void;
  readonly lose: (error: OperationError) => void;
}

export function createAcknowledgements(options: AcknowledgementsOptions): Acknowledgements {
  const { clock, localId } = options;
  const reported = new Map<NodeId, number>();
  const waiters = new Set<Waiter>();
  const lagTimers = new Map<NodeId, CancelTimer>();
  let { nodes, index: appliedIndex } = options.begin;

  const hasApplied = (nodeId: NodeId, index: number): boolean =>
    (nodeId === localId ? appliedIndex : (reported.get(nodeId) ?? 0)) >= index;

  /** A node that left the state is not waited for. */
  const isComplete = ({ index, nodeIds }: Waiter): boolean =>
    nodeIds.every((nodeId) => !nodes.has(nodeId) || hasApplied(nodeId, index));

  const look = (): void => {
    for (const waiter of [...waiters]) if (isComplete(waiter)) waiter.settle(true);
  };

  const watchLag = (nodeId: NodeId): void => {
    if (nodeId === localId || lagTimers.has(nodeId) || hasApplied(nodeId, appliedIndex)) return;
    const index = appliedIndex;
    const cancel = clock.setTimer(options.lagTimeoutMs(), () => {
      lagTimers.delete(nodeId);
      if (!nodes.has(nodeId)) return;
      if (!hasApplied(nodeId, index)) options.lagging(nodeId);
      else watchLag(nodeId);
    });
    lagTimers.set(nodeId, cancel);
  };

  return {
    report(nodeId, index) {
      if (index <= (reported.get(nodeId) ?? 0)) return;
      reported.set(nodeId, index);
      if (hasApplied(nodeId, appliedIndex)) {
        lagTimers.get(nodeId)?.();
        lagTimers.delete(nodeId);
      }
      look();
    },
    applied(index, state) {
      appliedIndex = index;
      nodes = state.nodes;
      for (const nodeId of [...reported.keys()]) if (!nodes.has(nodeId)) reported.delete(nodeId);
      for (const nodeId of nodes.keys()) watchLag(nodeId);
      look();
    },
    wait: (index, timeoutMs) =>
      new Promise((resolve, reject) => {
        const cancel =
          timeoutMs < 0 ? () => {} : clock.setTimer(timeoutMs, () => waiter.settle(false));
        const forget = (): void => {
          cancel();
          waiters.delete(waiter);
        };
        const waiter: Waiter = {
          index,
          nodeIds: [...nodes.keys()],
          settle(acknowledged) {
            forget();
            resolve(acknowledged);
          },
          lose(error) {
            forget();
            reject(error);
          },
        };
        waiters.add(waiter);
        if (isComplete(waiter)) waiter.settle(true);
      }),
    end() {
      for (const cancel of lagTimers.values()) cancel();
      lagTimers.clear();
      for (const waiter of [...waiters]) {
        waiter.lose(notElected("node is no longer cluster-manager"));
      }
    },
  };
}
