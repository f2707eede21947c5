/**
 * A change of an index's mapping, as each proposer makes it: merged from one version of the mapping and proposed on that version. When
 * another change was first, the proposal is refused, and what is missing is merged into the mapping that there is then.
 */
import { OperationError, type JsonObject } from "@orrery/stdx";
import type { PutMapping } from "./tasks/put-mapping.ts";
import type { IndexMetadata } from "./types.ts";

/** `base`: the index as it was when `mapping` was merged. */
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

/** A refusal that another merge may avoid. */
export function isMappingOvertaken(error: unknown): boolean {
  return error instanceof OperationError && error.problem.isRetryable === true;
}
