/**
 * Waiting times of delayed copies (`index.unassigned.node_left.delayed_timeout`), measured by this elected cluster
 * manager: from its first look at each, on its monotonic clock. The wall-clock time in `unassignedInfo` is only shown:
 * wall clocks are adjusted, and those of two nodes differ. Time waited under a former cluster manager does not count,
 * as in the product (`DelayedAllocationService`).
 */
import { allCopies, type ClusterState, type ShardRouting } from "@orrery/cluster-state";
import type { Clock } from "@orrery/ports";

/** The times that copies with a delayed allocation have waited in one term. */
export interface Delays {
  /** Milliseconds since the first call for this copy; 0 at that call. */
  waitedMs(copy: ShardRouting): number;
  /** Forgets copies that are no longer delayed. */
  prune(state: ClusterState): void;
}

/** Delays of a new term: the wait of each copy begins anew. */
export function createDelays(clock: Clock): Delays {
  const sinceMs = new Map<string, number>();
  /** Whole milliseconds, as explanations and `unassignedInfo` print them. */
  const now = (): number => Math.floor(clock.monotonicMs());

  return {
    waitedMs(copy) {
      const key = keyOf(copy);
      const since = sinceMs.get(key) ?? now();
      sinceMs.set(key, since);
      return now() - since;
    },
    prune(state) {
      if (sinceMs.size === 0) return;
      const waiting = new Set<string>();
      for (const copy of allCopies(state)) {
        if (copy.unassignedInfo?.delayed === true) waiting.add(keyOf(copy));
      }
      for (const key of [...sinceMs.keys()]) if (!waiting.has(key)) sinceMs.delete(key);
    },
  };
}

/** Key of an unassigned copy, which has no allocation id: its shard, and when and with which node it was lost. */
function keyOf({ index, shard, unassignedInfo }: ShardRouting): string {
  return `${index}/${shard}/${unassignedInfo?.atMs}/${unassignedInfo?.details}`;
}
