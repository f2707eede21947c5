/**
 * `snapshot_in_progress`: a primary stays on its node while it is snapshotted; reads the custom section `snapshots`
 * (`SnapshotInProgressAllocationDecider`).
 */
import { customOf, type ShardRouting } from "@orrery/cluster-state";
import { javaText, isJsonObject, type Json } from "@orrery/stdx";
import type { Allocation } from "../allocation.ts";
import { throttle, yes, type Verdict } from "../decision.ts";
import { printShardId } from "../print-shard.ts";
import type { Decider } from "./decider.ts";

const LABEL = "snapshot_in_progress";

export const snapshotInProgress: Decider = {
  canAllocate: (copy, _, allocation) => decide(copy, allocation),
  canRebalance: decide,
};

function decide(copy: ShardRouting, allocation: Allocation): Verdict {
  if (!copy.primary) return yes(LABEL, () => "the shard is not being snapshotted");
  const running = runningSnapshots(allocation);
  if (running.length === 0) return yes(LABEL, () => "no snapshots are currently running");
  if (!running.some((entry) => isSnapshotting(entry, copy))) {
    return yes(LABEL, () => "the shard is not being snapshotted");
  }
  return throttle(
    LABEL,
    () =>
      `waiting for snapshotting of shard [${printShardId(copy)}] to complete on this node [${copy.nodeId}]`,
  );
}

function runningSnapshots({ state }: Allocation): readonly Json[] {
  const section = customOf(state, "snapshots");
  const entries = isJsonObject(section) ? section["snapshots"] : undefined;
  return Array.isArray(entries) ? entries : [];
}

/** `{"shards": [{"index": {"index_name": …}, "shard": 0, "state": "INIT", "node": …}]}` as the cluster state prints it. */
function isSnapshotting(entry: Json, copy: ShardRouting): boolean {
  const shards = isJsonObject(entry) ? entry["shards"] : undefined;
  if (!Array.isArray(shards)) return false;
  const all: readonly Json[] = shards;
  return all.some((shard) => {
    if (!isJsonObject(shard)) return false;
    const index = shard["index"];
    const name = isJsonObject(index) ? index["index_name"] : index;
    const isRunning = !["SUCCESS", "FAILED", "MISSING", "ABORTED"].includes(
      javaText(shard["state"]),
    );
    return (
      name === copy.index &&
      shard["shard"] === copy.shard &&
      isRunning &&
      shard["node"] === copy.nodeId
    );
  });
}
