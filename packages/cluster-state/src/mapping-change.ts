/**
 * Optimistic change of an index's mapping: the proposer merges its fields into one version of the mapping and proposes
 * the result on that version. If another change was applied first, the task is rejected, and the proposer merges again.
 * Reducers thus need not merge mappings.
 */
import { OperationError, type JsonObject } from "@orrery/stdx";
import type { PutMapping } from "./tasks/put-mapping.ts";
import type { IndexMetadata } from "./types.ts";

/** The task that replaces the mapping; `base` is the index from which `mapping` was merged. */
export function mappingChange(
  base: Pick<IndexMetadata, "name" | "uuid" | "mappingVersion">,
  mapping: JsonObject,
): PutMapping {
  const { name, uuid, mappingVersion } = base;
  return {
    kind: "put-mapping",
    index: name,
    uuid,
    expectedMappingVersion: mappingVersion,
    mapping,
  };
}

/**
 * Whether the rejection of a `put-mapping` task is retryable: another change was applied first, and the proposer should
 * merge again.
 */
export function isMappingOvertaken(error: unknown): boolean {
  return error instanceof OperationError && error.problem.isRetryable === true;
}
