/**
 * How work on repositories moves on: shards that may start, snapshots that are complete, deletions whose turn it is. Source:
 * `SnapshotsService`, `SnapshotsInProgress`.
 *
 * INV-SNAP-4: of one shard in one repository at most one snapshot is active, and none while a deletion runs there.
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

export function isShardCompleted({ state }: ShardSnapshotEntry): boolean {
  return completed.has(state);
}

export function isSnapshotComplete({ shards }: SnapshotEntry): boolean {
  return shards.every(isShardCompleted);
}

/** By which shards of different snapshots are the same. */
export function repositoryShardKey(shard: Pick<ShardSnapshotEntry, "id" | "shard">): string {
  return `${shard.id}/${shard.shard}`;
}

/** What a shard can do now: its state and node. A clone needs no primary. */
export function startableShard(
  state: ClusterState,
  entry: Pick<SnapshotEntry, "clone_source">,
  shard: ShardSnapshotEntry,
): ShardSnapshotEntry {
  const { node: _, reason: __, ...base } = shard;
  if (entry.clone_source !== undefined) return { ...base, state: "INIT" };
  const missing = (reason: string): ShardSnapshotEntry => ({ ...base, state: "MISSING", reason });
  const { index_name: name, index_uuid: uuid } = shard.index;
  if (state.metadata.indices.get(name)?.uuid !== uuid) return missing("missing index");
  const primary = primaryOf(state, name, shard.shard);
  if (primary === undefined) return missing("missing routing table");
  if (primary.nodeId === undefined) return missing("primary shard is not allocated");
  if (primary.state === "RELOCATING" || primary.state === "INITIALIZING") {
    return { ...base, state: "WAITING", node: primary.nodeId };
  }
  return { ...base, state: "INIT", node: primary.nodeId };
}

/** Something of it is in the repository, or about to be, that no generation leads to yet. */
function isWriting(entry: SnapshotEntry): boolean {
  return (
    isSnapshotComplete(entry) ||
    entry.shards.some((shard) => active.has(shard.state) || shard.state === "SUCCESS")
  );
}

/** Everything that can follow from the state by itself. The same state when nothing does. */
export function advanceSnapshots(state: ClusterState): ClusterState {
  return startDeletions(startQueued(completeStates(state)));
}

/** What was aborted and is over is gone: nothing of it will be in the repository. */
function completeStates(state: ClusterState): ClusterState {
  let isChanged = false;
  const entries = snapshotsOf(state).flatMap((entry): SnapshotEntry[] => {
    if (entry.state === "SUCCESS" || !isSnapshotComplete(entry)) return [entry];
    isChanged = true;
    return entry.state === "ABORTED" ? [] : [{ ...entry, state: "SUCCESS" }];
  });
  return isChanged ? withSnapshots(state, entries) : state;
}

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
      if (active.has(started.state)) busy.add(key);
      isEntryChanged = true;
      return started;
    });
    isChanged ||= isEntryChanged;
    return isEntryChanged ? { ...entry, shards } : entry;
  });
  return isChanged ? completeStates(withSnapshots(state, next)) : state;
}

/** One at a time in a repository, and only while no snapshot writes there. */
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

/** What changed nodes and routing do to running snapshots. The same state when they do nothing. */
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
