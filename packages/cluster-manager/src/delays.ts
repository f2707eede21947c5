/**
 * How long copies wait for the return of their node, as this elected cluster manager measures it: from when it first knew
 * of each, by its monotonic clock. When the state says a copy became unassigned is for people: clocks are set, and
 * those of two cluster managers differ. What was waited under an earlier one is not counted, as in the product.
 */
import { allCopies, type ClusterState, type ShardRouting } from "@orrery/cluster-state";
import type { Clock } from "@orrery/ports";

export interface Delays {
  /** 0 for a copy that was never asked about. */
  waitedMs(copy: ShardRouting): number;
  /** Forgets the copies that wait no longer. */
  prune(state: ClusterState): void;
}

export function createDelays(clock: Clock): Delays {
  const sinceMs = new Map<string, number>();
  /** Whole milliseconds, as they are shown. */
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

/** An unassigned copy has no id; that it was lost, with which node and when, is what it is known by. */
function keyOf({ index, shard, unassignedInfo }: ShardRouting): string {
  return `${index}/${shard}/${unassignedInfo?.atMs}/${unassignedInfo?.details}`;
}
