/** Progress of restores (`RestoreService.RestoreInProgressUpdater`): each shard ends with the recovery of its primary. */
import { primaryOf } from "../routing.ts";
import type { ClusterState } from "../types.ts";
import { restoresOf, withRestores, type RestoreEntry, type RestoreShard } from "./sections.ts";

/** Whether the restore, or the shard of one, has ended. */
export function isRestoreOver({ state }: Pick<RestoreShard, "state">): boolean {
  return state === "SUCCESS" || state === "FAILURE";
}

/** The state with its running restores adapted to the routing table; the same state when nothing changes. */
export function followRestores(state: ClusterState): ClusterState {
  let isChanged = false;
  const entries = restoresOf(state).map((entry): RestoreEntry => {
    let isEntryChanged = false;
    const shards = entry.shards.map((shard) => {
      const next = followShard(state, entry, shard);
      isEntryChanged ||= next !== shard;
      return next;
    });
    if (!isEntryChanged) return entry;
    isChanged = true;
    return { ...entry, shards, state: stateOf(shards) };
  });
  return isChanged ? withRestores(state, entries) : state;
}

/** State of a restore by its shards. */
export function stateOf(shards: readonly RestoreShard[]): RestoreEntry["state"] {
  if (!shards.every(isRestoreOver)) return "STARTED";
  return shards.some((shard) => shard.state === "FAILURE") ? "FAILURE" : "SUCCESS";
}

/** Transition of one shard: success with its started primary, failure when it can no longer recover from this snapshot. */
function followShard(state: ClusterState, entry: RestoreEntry, shard: RestoreShard): RestoreShard {
  if (isRestoreOver(shard)) return shard;
  const failure = (reason: string): RestoreShard => ({ ...shard, state: "FAILURE", reason });
  const primary = primaryOf(state, shard.index, shard.shard);
  if (primary === undefined) return failure("index was deleted");
  if (primary.state === "STARTED" || primary.state === "RELOCATING") {
    const { reason: _, ...rest } = shard;
    return { ...rest, state: "SUCCESS" };
  }
  const source = primary.recoverySource;
  if (source?.type !== "SNAPSHOT")
    return failure(`recovery source type changed from snapshot to ${source?.type ?? "none"}`);
  if (source.snapshotUuid !== entry.snapshot_uuid) return failure("index was deleted");
  const info = primary.unassignedInfo;
  if (primary.state !== "UNASSIGNED" || info === undefined) return shard;
  // Corrupt data in the repository will not get better: the shard fails for good instead of being retried.
  if (info.details?.includes("corrupt_index_exception") === true) return failure(info.details);
  return info.lastAllocationStatus === "deciders_no"
    ? failure("shard could not be allocated to any of the nodes")
    : shard;
}
