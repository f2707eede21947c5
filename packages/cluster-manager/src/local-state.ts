/**
 * The cluster state as this node shows it (`ClusterApplierService`): the applied state, adjusted by what is local to
 * the node and not replicated.
 *
 * Before this process has joined, it shows a state of its own node alone, whatever its store holds. After its removal
 * it shows the last state that contained it, since the product publishes states to members only while our learners keep
 * receiving the log. Without a known elected cluster manager the shown state names none and carries the
 * no-cluster-manager block (`NoClusterManagerBlockService`).
 */
import {
  initialState,
  noClusterManagerBlock,
  type ClusterState,
  type DiscoveryNode,
} from "@orrery/cluster-state";
import { createWorkList, type Clock, type Work } from "@orrery/ports";
import type { NodeId } from "@orrery/stdx";

/** The shown state, with its listeners and waiters. */
export interface LocalState {
  readonly current: ClusterState;
  /** Whether this process is in the applied state. While it is not, an older state than the applied one is shown. */
  readonly isMember: boolean;
  /** Derives the shown state anew. Listeners, then waiters, are called in the same turn if it changed. */
  update(applied: ClusterState, managerNodeId: NodeId | undefined): void;
  /** Evaluates the waiters again, after a change of something beside the state that their conditions read. */
  reconsider(): void;
  /** Calls the listener for each new shown state. The returned function removes it. */
  onApplied(listener: (state: ClusterState, previous: ClusterState) => void): () => void;
  /** Waits for a shown state that satisfies `reached`. A timeout of 0 looks once; a negative one never expires. */
  when(
    reached: (state: ClusterState) => boolean,
    timeoutMs: number,
  ): Promise<{ readonly state: ClusterState; readonly timedOut: boolean }>;
  /** The waits under way; checkers find requests in it that never end. */
  work(): readonly Work[];
  /** Number of listeners, for leak checkers. */
  readonly listeners: number;
  /** Removes the listeners and times the waiters out. */
  stop(): void;
}

export interface LocalStateOptions {
  readonly clock: Clock;
  readonly localNode: DiscoveryNode;
  readonly clusterName: string;
  /** `cluster.no_cluster_manager_block`: which operations the block refuses. */
  readonly blockedLevels: () => string;
}

interface Waiter {
  readonly reached: (state: ClusterState) => boolean;
  readonly end: (timedOut: boolean) => void;
}

/** The state that a node shows before it has joined: itself as the only node, without a cluster manager. */
export function createLocalState(options: LocalStateOptions): LocalState {
  const { clock, localNode } = options;
  const listeners = new Set<(state: ClusterState, previous: ClusterState) => void>();
  const waiters = new Set<Waiter>();
  const work = createWorkList();
  const empty = initialState(options.clusterName);
  const alone: ClusterState = { ...empty, nodes: new Map([[localNode.id, localNode]]) };
  let shownBase: ClusterState = alone;
  let isMember = false;
  let current = withoutManager(alone, options.blockedLevels());

  const show = (next: ClusterState): void => {
    const previous = current;
    current = next;
    for (const listener of [...listeners]) listener(next, previous);
    reconsider();
  };

  const reconsider = (): void => {
    for (const waiter of [...waiters]) {
      if (waiters.has(waiter) && waiter.reached(current)) waiter.end(false);
    }
  };

  return {
    get current() {
      return current;
    },
    get isMember() {
      return isMember;
    },
    update(applied, managerNodeId) {
      isMember = applied.nodes.get(localNode.id)?.ephemeralId === localNode.ephemeralId;
      // The state before the adjustment; it stays what it was while this process is not in the applied one.
      const base = isMember ? applied : shownBase;
      const isKnown =
        isMember && managerNodeId !== undefined && base.managerNodeId === managerNodeId;
      // A state that names another cluster manager than Raft's comes from a former term: it is shown without one until
      // `become-cluster-manager` is applied.
      if (base === shownBase && isKnown === (current.managerNodeId !== undefined)) return;
      shownBase = base;
      show(isKnown ? base : withoutManager(base, options.blockedLevels()));
    },
    reconsider,
    onApplied(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    when: (reached, timeoutMs) =>
      new Promise((resolve) => {
        if (reached(current) || timeoutMs === 0) {
          resolve({ state: current, timedOut: !reached(current) });
          return;
        }
        const cancel = timeoutMs < 0 ? () => {} : clock.setTimer(timeoutMs, () => waiter.end(true));
        const endWork = work.begin("state");
        const waiter: Waiter = {
          reached,
          end(timedOut) {
            waiters.delete(waiter);
            endWork();
            cancel();
            resolve({ state: current, timedOut });
          },
        };
        waiters.add(waiter);
      }),
    work: work.all,
    get listeners() {
      return listeners.size;
    },
    stop() {
      listeners.clear();
      for (const waiter of [...waiters]) waiter.end(true);
    },
  };
}

function withoutManager(state: ClusterState, setting: string): ClusterState {
  const global = [...state.blocks.global, noClusterManagerBlock(setting)];
  return { ...state, managerNodeId: undefined, blocks: { ...state.blocks, global } };
}
