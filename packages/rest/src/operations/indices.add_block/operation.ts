/** `indices.add_block`: adds an index block against reads, writes or metadata changes. */
import { indicesOptions } from "@orrery/cluster-state";
import { illegalArgument } from "@orrery/stdx";
import { acknowledgedParameters, submitOptions } from "../../indices/acknowledged.ts";
import { passBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { indexTargets } from "../../parameters.ts";
import { expressionsOf, readState, targetsOf } from "../../state-reading.ts";
import { validate } from "../../validation.ts";

const BLOCKS = new Set(["read_only", "read", "write", "metadata", "read_only_allow_delete"]);

export const indicesAddBlock: Operation = defineOperation({
  group: "indices.add_block",
  permission: "indices:admin/block/add",
  routes: ["PUT /{index}/_block/{block}"],
  query: { ...acknowledgedParameters, ...indexTargets },
  deviations: [],

  async handle({ path, query }, cluster) {
    const block = (path["block"] ?? "").toLowerCase();
    if (!BLOCKS.has(block)) throw illegalArgument(`No block found with name ${path["block"]}`);
    validate([
      block === "read_only_allow_delete" && "read_only_allow_delete block is for internal use only",
    ]);
    const state = await readState(cluster, query);
    const nowMs = cluster.clock.nowMs();
    const targets = targetsOf(
      state,
      expressionsOf(path["index"]),
      { ...indicesOptions.strictExpandOpen, includeDataStreams: false },
      { query, nowMs },
    );
    const indices = targets.map(({ name }) => name);
    if (indices.length === 0)
      return { body: { acknowledged: true, shards_acknowledged: false, indices: [] } };
    passBlocks(state, "metadata_write", indices);
    const { acknowledged } = await cluster.submit(
      {
        kind: "update-index-settings",
        indices,
        settings: { [`index.blocks.${block}`]: "true" },
        preserveExisting: false,
        nowMs,
      },
      submitOptions(query),
    );
    return {
      body: {
        acknowledged,
        shards_acknowledged: acknowledged,
        indices: indices.map((name) => ({ name, blocked: acknowledged })),
      },
    };
  },
});
