/**
 * The cluster state as this node shows it: the applied one, seen through what only this node knows.
 *
 * Until this process has joined, it shows nothing of a former life but itself. When it was removed, it shows the last state
 * that it was part of: the product publishes a state to its members only. While it knows no elected cluster manager it
 * names none and carries the no-cluster-manager block (`NoClusterManagerBlockService`). Neither is replicated.
 */
import {
  initialState,
  noClusterManagerBlock,
  type ClusterState,
  type DiscoveryNode,
} from "@orrery/cluster-state";
import { createWorkList, type Clock, type Work } from "@orrery/ports";
import type { NodeId } from "@orrery/stdx";

export interface LocalState {
  readonly current: ClusterState;
  /** False while an older state than the applied one is shown, because this process is no member in that. */
  readonly isMember: boolean;
  /** Shows what is known now; listeners are called when that differs from what was shown. */
  update(applied: ClusterState, managerNodeId: NodeId | undefined): void;
  /** What those who wait look at beside the state has changed. */
  reconsider(): void;
  onApplied(listener: (state: ClusterState, previous: ClusterState) => void): () => void;
  when(
    reached: (state: ClusterState) => boolean,
    timeoutMs: number,
  ): Promise<{ readonly state: ClusterState; readonly timedOut: boolean }>;
  /** Waits for a state. */
  work(): readonly Work[];
  /** Functions that are called for each state. */
  readonly listeners: number;
  stop(): void;
}

export interface LocalStateOptions {
  readonly clock: Clock;
  readonly localNode: DiscoveryNode;
  readonly clusterName: string;
  /** `cluster.no_cluster_manager_block` as it is now. */
  readonly blockedLevels: () => string;
}

interface Waiter {
  readonly reached: (state: ClusterState) => boolean;
  readonly end: (timedOut: boolean) => void;
}

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
      const base = isMember ? applied : shownBase;
      const isKnown =
        isMember && managerNodeId !== undefined && base.managerNodeId === managerNodeId;
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
