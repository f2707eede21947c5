/** `indices.get_mapping`: mappings of indices. */
import { indicesOptions } from "@orrery/cluster-state";
import { passBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, indexTargets, managerTimeout } from "../../parameters.ts";
import { expressionsOf, readState, targetsOf } from "../../state-reading.ts";

export const indicesGetMapping: Operation = defineOperation({
  group: "indices.get_mapping",
  permission: "indices:admin/mappings/get",
  routes: ["GET /_mapping", "GET /_mappings", "GET /{index}/_mapping", "GET /{index}/_mappings"],
  query: { ...managerTimeout, ...indexTargets, local: flag(false) },
  deviations: [
    {
      kind: "route",
      name: "GET /_mappings",
      reason: "plural spelling of the product, not in the description",
    },
    {
      kind: "route",
      name: "GET /{index}/_mappings",
      reason: "plural spelling of the product, not in the description",
    },
  ],

  async handle({ path, query }, cluster) {
    const state = await readState(cluster, query);
    const targets = targetsOf(
      state,
      expressionsOf(path["index"]),
      indicesOptions.strictExpandOpen,
      {
        query,
        nowMs: cluster.clock.nowMs(),
      },
    );
    passBlocks(
      state,
      "metadata_read",
      targets.map(({ name }) => name),
    );
    const entries = targets.map(({ name, metadata }) => [name, { mappings: metadata.mapping }]);
    return { body: Object.fromEntries(entries) };
  },
});
