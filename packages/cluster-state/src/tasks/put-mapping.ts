/** Replaces a mapping by the one that the proposer merged, if the mapping still has the version it was merged from. */
import type { IndexUuid, JsonObject, Problem } from "@orrery/stdx";
import { isSameJson } from "../same-json.ts";
import type { ClusterState, IndexMetadata, Outcome } from "../types.ts";
import { indexNotFound, rejected, unchanged, updated, withIndex } from "../updates.ts";

export interface PutMapping {
  readonly kind: "put-mapping";
  readonly index: string;
  readonly uuid: IndexUuid;
  /** Version that the merge started from; the task is rejected as retryable when the index has another one. */
  readonly expectedMappingVersion: number;
  readonly mapping: JsonObject;
}

/**
 * Replaces the mapping of an index. Unchanged when the mapping is equal; rejected when the index is gone, or
 * (retryable) its mapping has another version than expected.
 */
export function putMapping(state: ClusterState, task: PutMapping): Outcome {
  const metadata = state.metadata.indices.get(task.index);
  if (metadata?.uuid !== task.uuid) return rejected(indexNotFound(task.index));
  if (metadata.mappingVersion !== task.expectedMappingVersion) return rejected(moved(metadata));
  if (isSameJson(metadata.mapping, task.mapping)) return unchanged;
  return updated(
    withIndex(state, {
      ...metadata,
      mapping: task.mapping,
      mappingVersion: metadata.mappingVersion + 1,
      version: metadata.version + 1,
    }),
  );
}

function moved({ name, mappingVersion }: IndexMetadata): Problem {
  return {
    type: "cluster_state_changed_exception",
    reason: `mapping of index [${name}] has moved on to version [${mappingVersion}]`,
    status: 503,
    isRetryable: true,
  };
}
