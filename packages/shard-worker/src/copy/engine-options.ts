/**
 * The options of an engine, bound to its copy. Settings, mapping, global checkpoint and leases are read at each use:
 * they change while the engine is open.
 */
import { least } from "@orrery/stdx";
import type { RetentionLease } from "@orrery/replication";
import { unforeseen } from "../blame.ts";
import type { EngineOptions } from "../engine/types.ts";
import type { ShardCopy } from "./shard-copy.ts";

/** Options for the engines of this copy: the first one, and those that replace it after a roll-back. */
export function engineOptions(copy: ShardCopy): EngineOptions {
  const { worker, paths, index, indexUuid, shard } = copy;
  return {
    disk: worker.disk,
    paths,
    clock: worker.clock,
    random: worker.random,
    index,
    indexUuid,
    shard,
    segmentParts: worker.segmentParts,
    settings: () => copy.service.settings,
    mapping: () => copy.service.mapping,
    globalCheckpoint: () => copy.tracker.globalCheckpoint,
    leases: () => copy.leases,
    onFailed: (problem) => copy.fail("shard failure, reason [engine failure]", problem),
    onUnforeseen: (error) => unforeseen(copy, error),
    onPersisted: () => copy.onPersisted(),
    onTrimmed: (retainedFrom) =>
      worker.trace({
        kind: "history-trimmed",
        nodeId: worker.nodeId,
        index,
        shard,
        allocationId: copy.allocationId,
        retainedFrom,
        leasedFrom: lowestOf(copy.leases.leases),
      }),
  };
}

/** The lowest retained number; -1 without leases. */
function lowestOf(leases: readonly RetentionLease[]): number {
  return leases.length === 0 ? -1 : least(leases.map((lease) => lease.retainingSeqNo));
}
