/**
 * INV-SNAP-7: snapshots, clones, deletions and restores, and each shard of them, only move forward: an ended one keeps
 * its outcome whichever node is elected.
 */
import { lookup } from "@orrery/stdx";
import type { RecordedEvent } from "../world.ts";
import type { Checker } from "./checker.ts";

/** Ranks of states. All outcomes have the same rank, and an outcome does not change into another. */
const RANKS: Readonly<Record<string, number>> = {
  QUEUED: 0,
  WAITING: 1,
  INIT: 2,
  STARTED: 3,
  ABORTED: 4,
  SUCCESS: 5,
  FAILED: 5,
  MISSING: 5,
  FAILURE: 5,
  REMOVED: 6,
};

export const snapshotStatusNeverGoesBackwards: Checker = {
  name: "snapshot-status-never-goes-backwards",
  invariant: "INV-SNAP-7",
  says: "Snapshots, deletions and restores, and each shard of them, only move forward; an ended one keeps its outcome.",
  excusedBy: [],
  start: (world) => {
    const states = new Map<string, string>();
    const elected = new Map<string, { readonly node: string; readonly term: number }>();
    return (event) => {
      const cluster = world.clusterOf(event.node);
      if (event.kind === "cluster-manager-elected") {
        const { node, term } = event;
        if (term > (elected.get(cluster)?.term ?? -1)) elected.set(cluster, { node, term });
      }
      if (event.kind !== "snapshot-state-changed") return undefined;
      // A former cluster manager may apply late what its successor applied before.
      if (elected.has(cluster) && elected.get(cluster)?.node !== event.node) return undefined;
      const key = `${cluster}/${event.uuid}/${event.index ?? ""}/${event.shard ?? ""}`;
      const before = states.get(key);
      states.set(key, event.state);
      if (before === undefined || before === event.state) return undefined;
      if (rankOf(event.state) > rankOf(before)) return undefined;
      return `${nameOf(event)} went from [${before}] to [${event.state}], as ${event.node} tells`;
    };
  },
};

function rankOf(state: string): number {
  return lookup(RANKS, state) ?? -1;
}

type Change = Extract<RecordedEvent, { readonly kind: "snapshot-state-changed" }>;

function nameOf({ operation, repository, snapshot, index, shard }: Change): string {
  const where = index === undefined ? "" : `, of ${index}/${shard}`;
  return `the ${operation} [${repository}:${snapshot}]${where}`;
}
