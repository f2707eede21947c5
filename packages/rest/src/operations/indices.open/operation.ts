/** `indices.open`: opens closed indices; responds when enough copies are active. */
import { indicesOptions } from "@orrery/cluster-state";
import { acknowledgedParameters, submitOptions } from "../../indices/acknowledged.ts";
import { waitForActiveShards } from "../../indices/active-shards.ts";
import { passBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { activeShards, duration, flag, indexTargets, onDemand } from "../../parameters.ts";
import { expressionsOf, readState, targetsOf } from "../../state-reading.ts";
import { validate } from "../../validation.ts";

export const indicesOpen: Operation = defineOperation({
  group: "indices.open",
  permission: "indices:admin/open",
  routes: ["POST /_open", "POST /{index}/_open"],
  query: {
    ...acknowledgedParameters,
    ...indexTargets,
    wait_for_active_shards: activeShards(),
    wait_for_completion: flag(true),
    task_execution_timeout: onDemand(duration()),
  },
  deviations: [
    { kind: "route", name: "POST /_open", reason: "routed by the product, not in the description" },
    {
      kind: "behaviour",
      name: "wait_for_completion=false",
      reason: "the task API is not implemented, so the response is sent when the indices are open",
    },
  ],

  async handle({ path, query }, cluster) {
    const expressions = expressionsOf(path["index"]);
    validate([expressions.length === 0 && "index is missing"]);
    const state = await readState(cluster, query);
    const nowMs = cluster.clock.nowMs();
    const options = { ...indicesOptions.strictExpand, expandOpen: false };
    const targets = targetsOf(state, expressions, options, { query, nowMs });
    const indices = targets.map(({ name }) => name);
    if (indices.length === 0) return { body: { acknowledged: true, shards_acknowledged: true } };
    passBlocks(state, "metadata_write", indices);
    const { acknowledged } = await cluster.submit(
      { kind: "open-index", indices, nowMs },
      submitOptions(query),
    );
    const wait = { wanted: query.wait_for_active_shards, timeoutMs: query.timeout };
    const areActive = acknowledged && (await waitForActiveShards(cluster, indices, wait));
    return { body: { acknowledged, shards_acknowledged: areActive } };
  },
});
