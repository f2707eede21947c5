/**
 * `restore_in_progress`: a primary whose restore has failed is not retried by itself; reads the custom section
 * `restore` (`RestoreInProgressAllocationDecider`).
 */
import { customOf, type ShardRouting } from "@orrery/cluster-state";
import { javaText, isJsonObject, type Json } from "@orrery/stdx";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Verdict } from "../decision.ts";
import type { Decider } from "./decider.ts";

const LABEL = "restore_in_progress";

export const restoreInProgress: Decider = {
  canAllocate: (copy, _, allocation) => decide(copy, allocation),
  canAllocateAnywhere: decide,
  canForcePrimary: (copy, _, allocation) => decide(copy, allocation),
};

function decide(copy: ShardRouting, allocation: Allocation): Verdict {
  const source = copy.recoverySource;
  if (source?.type !== "SNAPSHOT") {
    return yes(LABEL, () => "ignored as shard is not being recovered from a snapshot");
  }
  if (source.snapshotUuid === "_no_api_") return yes(LABEL, () => "not an API-level restore");
  if (isRestoring(allocation, copy, source.snapshotUuid)) {
    return yes(LABEL, () => "shard is currently being restored");
  }
  const snapshot = `${source.repository}:${source.snapshot}/${source.snapshotUuid}`;
  const details = copy.unassignedInfo?.details ?? "null";
  return no(
    LABEL,
    () =>
      `shard has failed to be restored from the snapshot [${snapshot}] because of [${details}] - manually close or delete the index [${copy.index}] in order to retry to restore the snapshot again or use the reroute API to force the allocation of an empty primary shard`,
  );
}

/** `{"snapshots": [{"uuid": …, "shards": [{"index": …, "shard": 0, "state": "INIT"}]}]}` */
function isRestoring({ state }: Allocation, copy: ShardRouting, snapshotUuid: string): boolean {
  const section = customOf(state, "restore");
  const entries = isJsonObject(section) ? section["snapshots"] : undefined;
  if (!Array.isArray(entries)) return false;
  const all: readonly Json[] = entries;
  return all.some((entry) => {
    if (!isJsonObject(entry) || entry["snapshot_uuid"] !== snapshotUuid) return false;
    const shards = entry["shards"];
    if (!Array.isArray(shards)) return false;
    const shardEntries: readonly Json[] = shards;
    return shardEntries.some(
      (shard) =>
        isJsonObject(shard) &&
        nameOf(shard["index"]) === copy.index &&
        shard["shard"] === copy.shard &&
        !["SUCCESS", "FAILURE"].includes(javaText(shard["state"])),
    );
  });
}

function nameOf(index: Json | undefined): Json | undefined {
  return isJsonObject(index) ? index["index_name"] : index;
}
