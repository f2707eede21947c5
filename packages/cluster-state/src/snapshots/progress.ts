/**
 * State machine of snapshots and deletions (`SnapshotsService`, `SnapshotsInProgress`): which shards start, which
 * snapshots are complete, which deletions start.
 *
 * Shards of a snapshot begin as QUEUED. A shard becomes INIT when it is the first of its repository shard, or WAITING
 * while its primary is not started, and ends as SUCCESS, FAILED or MISSING. INV-SNAP-4: at most one snapshot is active
 * on one shard of a repository, and none while a deletion runs there, because both write the next shard generation.
 */
import { primaryOf } from "../routing.ts";
import type { ClusterState } from "../types.ts";
import {
  deletionsOf,
  snapshotsOf,
  withDeletions,
  withSnapshots,
  type ShardSnapshotEntry,
  type ShardSnapshotState,
  type SnapshotEntry,
} from "./sections.ts";

const completed: ReadonlySet<ShardSnapshotState> = new Set(["SUCCESS", "FAILED", "MISSING"]);
const active: ReadonlySet<ShardSnapshotState> = new Set(["INIT", "WAITING", "ABORTED"]);

/** Whether the shard has ended, with success or without. */
export function isShardCompleted({ state }: ShardSnapshotEntry): boolean {
  return completed.has(state);
}

/** Whether all shards of the snapshot have ended. */
export function isSnapshotComplete({ shards }: SnapshotEntry): boolean {
  return shards.every(isShardCompleted);
}

/** Key of a shard within its repository; equal for the same shard in different snapshots. */
export function repositoryShardKey(shard: Pick<ShardSnapshotEntry, "id" | "shard">): string {
  return `${shard.id}/${shard.shard}`;
}

/** The shard with the state in which it can start now: INIT on the node of its started primary, WAITING, or MISSING. A clone needs no primary. */
export function startableShard(
  state: ClusterState,
  entry: Pick<SnapshotEntry, "clone_source">,
  shard: ShardSnapshotEntry,
): ShardSnapshotEntry {
  const { node: _, reason: __, ...base } = shard;
  if (entry.clone_source !== undefined) return { ...base, state: "INIT" };
  // The index was deleted, perhaps created anew under its name: the uuid decides, so that a snapshot never mixes both.
  const missing = (reason: string): ShardSnapshotEntry => ({ ...base, state: "MISSING", reason });
  const { index_name: name, index_uuid: uuid } = shard.index;
  if (state.metadata.indices.get(name)?.uuid !== uuid) return missing("missing index");
  const primary = primaryOf(state, name, shard.shard);
  if (primary === undefined) return missing("missing routing table");
  if (primary.nodeId === undefined) return missing("primary shard is not allocated");
  // A relocating primary would be gone from its node before the files are read; the snapshot waits for the target.
  if (primary.state === "RELOCATING" || primary.state === "INITIALIZING") {
    return { ...base, state: "WAITING", node: primary.nodeId };
  }
  return { ...base, state: "INIT", node: primary.nodeId };
}

/** Whether the snapshot has written, or is about to write, blobs that no generation references yet; a deletion must not run then. */
function isWriting(entry: SnapshotEntry): boolean {
  return (
    isSnapshotComplete(entry) ||
    entry.shards.some((shard) => active.has(shard.state) || shard.state === "SUCCESS")
  );
}

/** The state after all transitions that need no further input; the same state when there are none. Completion first, because it frees shards; deletions last, so that queued shards go before them. */
export function advanceSnapshots(state: ClusterState): ClusterState {
  return startDeletions(startQueued(completeStates(state)));
}

/** Marks complete snapshots as SUCCESS, ready for finalization, and removes complete aborted ones, which never get into the repository. */
function completeStates(state: ClusterState): ClusterState {
  let isChanged = false;
  const entries = snapshotsOf(state).flatMap((entry): SnapshotEntry[] => {
    if (entry.state === "SUCCESS" || !isSnapshotComplete(entry)) return [entry];
    isChanged = true;
    return entry.state === "ABORTED" ? [] : [{ ...entry, state: "SUCCESS" }];
  });
  return isChanged ? withSnapshots(state, entries) : state;
}

/**
 * Starts queued shards in the order of entries: each that no active shard of its key precedes. A shard that becomes active
 * blocks the same shard of later entries, which builds on the generation that it will write.
 */
function startQueued(state: ClusterState): ClusterState {
  const entries = snapshotsOf(state);
  if (!entries.some(({ shards }) => shards.some((shard) => shard.state === "QUEUED"))) return state;
  const deleting = new Set(
    deletionsOf(state).flatMap((deletion) =>
      deletion.state === "STARTED" ? [deletion.repository] : [],
    ),
  );
  const busy = new Set(
    entries.flatMap(({ repository, shards }) =>
      shards
        .filter((shard) => active.has(shard.state))
        .map((shard) => `${repository}/${repositoryShardKey(shard)}`),
    ),
  );
  let isChanged = false;
  const next = entries.map((entry): SnapshotEntry => {
    if (deleting.has(entry.repository) || entry.state !== "STARTED") return entry;
    let isEntryChanged = false;
    const shards = entry.shards.map((shard) => {
      const key = `${entry.repository}/${repositoryShardKey(shard)}`;
      if (shard.state !== "QUEUED" || busy.has(key)) return shard;
      const started = startableShard(state, entry, shard);
      // A shard that is MISSING at once writes nothing, and blocks none.
      if (active.has(started.state)) busy.add(key);
      isEntryChanged = true;
      return started;
    });
    isChanged ||= isEntryChanged;
    return isEntryChanged ? { ...entry, shards } : entry;
  });
  // Again, since a snapshot whose last shards are MISSING is complete by this.
  return isChanged ? completeStates(withSnapshots(state, next)) : state;
}

/** Starts waiting deletions: one at a time in a repository, and only while no snapshot writes there. */
function startDeletions(state: ClusterState): ClusterState {
  const deletions = deletionsOf(state);
  if (deletions.every((deletion) => deletion.state === "STARTED")) return state;
  const taken = new Set([
    ...snapshotsOf(state).flatMap((entry) => (isWriting(entry) ? [entry.repository] : [])),
    ...deletions.flatMap((deletion) => (deletion.state === "STARTED" ? [deletion.repository] : [])),
  ]);
  let isChanged = false;
  const next = deletions.map((deletion) => {
    if (deletion.state === "STARTED" || taken.has(deletion.repository)) return deletion;
    taken.add(deletion.repository);
    isChanged = true;
    return { ...deletion, state: "STARTED" as const };
  });
  return isChanged ? withDeletions(state, next) : state;
}

/**
 * The state with its running snapshots adapted to changes of nodes and routing: shards on departed nodes fail, waiting
 * shards follow their primary, clones are left alone. The same state when nothing changes.
 */
export function followRouting(state: ClusterState): ClusterState {
  let isChanged = false;
  const entries = snapshotsOf(state).map((entry): SnapshotEntry => {
    if (entry.clone_source !== undefined) return entry;
    let isEntryChanged = false;
    const shards = entry.shards.map((shard) => {
      const next = followShard(state, entry, shard);
      isEntryChanged ||= next !== shard;
      return next;
    });
    isChanged ||= isEntryChanged;
    return isEntryChanged ? { ...entry, shards } : entry;
  });
  return advanceSnapshots(isChanged ? withSnapshots(state, entries) : state);
}

/**
 * Transition of one shard after a change of nodes or routing. A running or aborting shard fails with its node, because
 * only that node knows what it has written; a waiting one is evaluated again, and fails instead of becoming MISSING, which
 * is for shards that never could start.
 */
function followShard(
  state: ClusterState,
  entry: SnapshotEntry,
  shard: ShardSnapshotEntry,
): ShardSnapshotEntry {
  const failed = (reason: string): ShardSnapshotEntry => ({ ...shard, state: "FAILED", reason });
  switch (shard.state) {
    case "INIT":
    case "ABORTED":
      return shard.node !== undefined && !state.nodes.has(shard.node)
        ? failed("node shutdown")
        : shard;
    case "WAITING": {
      const next = startableShard(state, entry, shard);
      if (next.state === "MISSING") {
        return next.reason === "primary shard is not allocated"
          ? failed("shard is unassigned")
          : failed(next.reason ?? "");
      }
      return next.state === "WAITING" && next.node === shard.node ? shard : next;
    }
    default:
      return shard;
  }
}
