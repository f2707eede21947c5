/** Changes of a mapping from the coordinating node: merged, proposed, and merged again when another change was first. */
import { isMappingOvertaken, mappingChange, type IndexMetadata } from "@orrery/cluster-state";
import type { SubmitOptions } from "@orrery/cluster-manager";
import type { JsonObject } from "@orrery/stdx";
import type { Cluster } from "./cluster.ts";

/** Proposals of one change. A mapping that other changes keep moving is given up with the refusal of the last one. */
const ATTEMPTS_MOST = 10;

const MANAGER_TIMEOUT_MS = 30_000;

export interface MappingChange {
  /** The mapping as it is to be; `undefined`: it is that already. */
  merge(index: IndexMetadata): JsonObject | undefined;
  readonly options?: SubmitOptions;
}

/** True when every node has applied the change. Rejects with what `merge` throws, or as `Cluster.submit` does. */
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
      if (!isMappingOvertaken(error) || attempt === ATTEMPTS_MOST) throw error;
    }
    const state = await cluster.managerState(options.managerTimeoutMs ?? MANAGER_TIMEOUT_MS);
    const current = state.metadata.indices.get(index.name);
    // An index that is gone, or another one of that name: the next proposal is refused for good.
    if (current?.uuid === index.uuid) base = current;
  }
}
