/**
 * Changes of a mapping by the coordinating node, optimistically: merged into the index's mapping, proposed on that
 * version, and merged again if another change was first.
 */
import { isMappingOvertaken, mappingChange, type IndexMetadata } from "@orrery/cluster-state";
import type { SubmitOptions } from "@orrery/cluster-manager";
import type { JsonObject } from "@orrery/stdx";
import type { Cluster } from "./cluster.ts";

/** Proposals of one change; then it fails with the last rejection. */
const MAX_ATTEMPTS = 10;

const MANAGER_TIMEOUT_MS = 30_000;

export interface MappingChange {
  /** The mapping after the change; `undefined`: the index has it already. */
  merge(index: IndexMetadata): JsonObject | undefined;
  readonly options?: SubmitOptions;
}

/**
 * Changes the mapping of an index; resolves with `true` if every node has applied the change in time. Rejects with the
 * errors of `merge` and of `Cluster.submit`.
 */
export async function changeMapping(
  cluster: Pick<Cluster, "submit" | "managerState">,
  index: IndexMetadata,
  { merge, options = {} }: MappingChange,
): Promise<boolean> {
  let base = index;
  for (let attempt = 1; ; attempt += 1) {
    const mapping = merge(base);
    if (mapping === undefined) return true;
    try {
      const { acknowledged } = await cluster.submit(mappingChange(base, mapping), options);
      return acknowledged;
    } catch (error) {
      if (!isMappingOvertaken(error) || attempt === MAX_ATTEMPTS) throw error;
    }
    const state = await cluster.managerState(options.managerTimeoutMs ?? MANAGER_TIMEOUT_MS);
    const current = state.metadata.indices.get(index.name);
    // The index was deleted, or replaced under its name: the next proposal is rejected for good.
    if (current?.uuid === index.uuid) base = current;
  }
}
