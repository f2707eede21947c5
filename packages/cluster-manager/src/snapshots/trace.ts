/** Trace events for changes of state of snapshots, deletions and restores, for the checkers of snapshots. */
import {
  deletionsOf,
  restoresOf,
  snapshotsOf,
  type ClusterState,
  type SnapshotEntry,
} from "@orrery/cluster-state";
import type { Trace, TraceEvent } from "@orrery/ports";

type Change = Extract<TraceEvent, { readonly kind: "snapshot-state-changed" }>;

/**
 * Returns the function to call with each applied state of a term, which traces changes of snapshots. Its first call
 * traces all that are under way.
 */
export function createSnapshotTrace(trace: Trace): (state: ClusterState) => void {
  let before = new Map<string, Change>();
  return (state) => {
    const now = changesIn(state);
    for (const [key, change] of now) {
      if (before.get(key)?.state !== change.state) trace(change);
    }
    for (const [key, change] of before) {
      if (!now.has(key) && change.shard === undefined) trace({ ...change, state: "REMOVED" });
    }
    before = now;
  };
}

/** The state of each operation and shard as an event, by a key that is stable over states. */
function changesIn(state: ClusterState): Map<string, Change> {
  const changes = new Map<string, Change>();
  const kind = "snapshot-state-changed" as const;
  for (const entry of snapshotsOf(state)) {
    const base = { kind, operation: operationOf(entry), ...nameOf(entry) };
    changes.set(entry.uuid, { ...base, state: entry.state });
    for (const { index, shard, state: shardState, reason } of entry.shards) {
      const what = reason === undefined ? {} : { reason };
      const at = { index: index.index_name, shard, state: shardState, ...what };
      changes.set(`${entry.uuid}/${index.index_name}/${shard}`, { ...base, ...at });
    }
  }
  for (const { uuid, repository, snapshots, state: deletionState } of deletionsOf(state)) {
    const snapshot = snapshots.map(({ name }) => name).join(",");
    const named = { repository, snapshot, uuid };
    changes.set(uuid, { kind, operation: "deletion", ...named, state: deletionState });
  }
  for (const entry of restoresOf(state)) {
    const { uuid, repository, snapshot } = entry;
    const base = { kind, operation: "restore" as const, repository, snapshot, uuid };
    changes.set(uuid, { ...base, state: entry.state });
    for (const { index, shard, state: shardState, reason } of entry.shards) {
      const what = reason === undefined ? {} : { reason };
      changes.set(`${uuid}/${index}/${shard}`, {
        ...base,
        index,
        shard,
        state: shardState,
        ...what,
      });
    }
  }
  return changes;
}

function operationOf({ clone_source: source }: SnapshotEntry): "snapshot" | "clone" {
  return source === undefined ? "snapshot" : "clone";
}

function nameOf({ repository, snapshot, uuid }: SnapshotEntry): {
  readonly repository: string;
  readonly snapshot: string;
  readonly uuid: string;
} {
  return { repository, snapshot, uuid };
}
