/**
 * Applied indices of all nodes, as reported to the elected cluster manager: a change is acknowledged when every node
 * of the state has applied it (`AckListener`, `Publication`), and a node that lags for longer than
 * `cluster.follower_lag.timeout` is removed (`LagDetector`).
 *
 * A commit needs a majority of voters; an acknowledgement needs every node, learners included, so that a search on any
 * node sees an index whose creation was acknowledged.
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
  /** `cluster.follower_lag.timeout`, read anew for each timer. */
  readonly lagTimeoutMs: () => number;
  /** Called when a node has not applied, within the lag timeout, an entry that was applied here. */
  readonly lagging: (nodeId: NodeId) => void;
}

/** Acknowledgements of one term; lost with it. */
export interface Acknowledgements {
  /** Applied index of another node, from its own report or from its follower check. Reports may come out of order. */
  report(nodeId: NodeId, index: number): void;
  /** Applied index and state of the elected cluster manager itself. */
  applied(index: number, state: ClusterState): void;
  /**
   * True when every node of the state at the time of the call has applied the entry or has left, false after the timeout
   * (the answer then says `acknowledged: false`). A negative timeout never expires. Rejects when the term ends.
   */
  wait(index: number, timeoutMs: number): Promise<boolean>;
  end(): void;
}

interface Waiter {
  readonly index: number;
  readonly nodeIds: readonly NodeId[];
  readonly settle: (acknowledged: boolean) => void;
  readonly lose: (error: OperationError) => void;
}

/** Acknowledgements at the beginning of a term, by the index and the nodes of its first state. */
export function createAcknowledgements(options: AcknowledgementsOptions): Acknowledgements {
  const { clock, localId } = options;
  const reported = new Map<NodeId, number>();
  const waiters = new Set<Waiter>();
  const lagTimers = new Map<NodeId, CancelTimer>();
  let { nodes, index: appliedIndex } = options.begin;

  const hasApplied = (nodeId: NodeId, index: number): boolean =>
    (nodeId === localId ? appliedIndex : (reported.get(nodeId) ?? 0)) >= index;

  /** A waiter keeps the nodes of the state at its start: a node that left since need not apply, one that joined since is not awaited. */
  const isComplete = ({ index, nodeIds }: Waiter): boolean =>
    nodeIds.every((nodeId) => !nodes.has(nodeId) || hasApplied(nodeId, index));

  const settleComplete = (): void => {
    for (const waiter of [...waiters]) if (isComplete(waiter)) waiter.settle(true);
  };

  const watchLag = (nodeId: NodeId): void => {
    if (nodeId === localId || lagTimers.has(nodeId) || hasApplied(nodeId, appliedIndex)) return;
    // One timer a node, for the index at which the node fell behind. A later index gets its timer when this one fires:
    // a timer that each new entry restarted would never fire under steady changes.
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
      settleComplete();
    },
    applied(index, state) {
      appliedIndex = index;
      nodes = state.nodes;
      // A node that leaves and joins again reports anew: its next process starts from its own log.
      for (const nodeId of [...reported.keys()]) if (!nodes.has(nodeId)) reported.delete(nodeId);
      for (const nodeId of nodes.keys()) watchLag(nodeId);
      settleComplete();
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
