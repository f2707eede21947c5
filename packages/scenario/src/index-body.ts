/** Body of the request that creates an index of the plan. */
import type { JsonObject } from "@orrery/stdx";
import type { IndexPlan } from "./plan.ts";

/** Body of the request `PUT /{index}` that creates an index of a plan. */
export function indexBody(index: Omit<IndexPlan, "name" | "cluster">): JsonObject {
  const { shards, replicas, settings, mappings, aliases } = index;
  return {
    settings: { ...settings, number_of_shards: shards, number_of_replicas: replicas },
    ...(Object.keys(mappings).length === 0 ? {} : { mappings }),
    ...(Object.keys(aliases).length === 0 ? {} : { aliases }),
  };
}
