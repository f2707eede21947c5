/**
 * Optimistic concurrency control: whether a write may replace the current document, and the version that it gives it
 * (`VersionType`).
 */
import type { Problem } from "@orrery/stdx";
import type { EngineOptions, FoundVersion, WriteCondition } from "./types.ts";

type ShardName = Pick<EngineOptions, "index" | "indexUuid" | "shard">;

/**
 * The problem of a write whose condition does not hold; `undefined`: the write may proceed. `current`: the newest
 * version of the document, a delete included; `undefined`: none.
 */
export function findConflict(
  shard: ShardName,
  id: string,
  current: FoundVersion | undefined,
  condition: WriteCondition,
): Problem | undefined {
  const reason = conflictReason(current, condition);
  return reason === undefined ? undefined : versionConflict(shard, id, reason);
}

/** A `version_conflict_engine_exception` (409), of writes and of reads that name a version. */
export function versionConflict(shard: ShardName, id: string, reason: string): Problem {
  return {
    type: "version_conflict_engine_exception",
    reason: `[${id}]: version conflict, ${reason}`,
    status: 409,
    metadata: { index: shard.index, shard: String(shard.shard), index_uuid: shard.indexUuid },
  };
}

function conflictReason(
  current: FoundVersion | undefined,
  condition: WriteCondition,
): string | undefined {
  const { ifSeqNo, ifPrimaryTerm, version } = condition;
  const isThere = current !== undefined && !current.isDeleted;
  if (ifSeqNo !== undefined) {
    const required = `required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm ?? 0}].`;
    if (!isThere) return `${required} but no document was found`;
    if (current.seqNo === ifSeqNo && current.primaryTerm === ifPrimaryTerm) return undefined;
    return `${required} current document has seqNo [${current.seqNo}] and primary term [${current.primaryTerm}]`;
  }
  if (condition.isCreate && isThere && condition.versionType === "internal") {
    return `document already exists (current version [${current.version}])`;
  }
  if (current === undefined || version === undefined) return undefined;
  if (condition.versionType === "external" && version <= current.version) {
    return `current version [${current.version}] is higher or equal to the one provided [${version}]`;
  }
  if (condition.versionType === "external_gte" && version < current.version) {
    return `current version [${current.version}] is higher than the one provided [${version}]`;
  }
  return undefined;
}

/**
 * The version that a write gives to the document: the given one for external version types, else one above the current
 * version. A delete has a version, too.
 */
export function nextVersion(current: FoundVersion | undefined, condition: WriteCondition): number {
  if (condition.versionType !== "internal" && condition.version !== undefined) {
    return condition.version;
  }
  return current === undefined ? 1 : current.version + 1;
}
