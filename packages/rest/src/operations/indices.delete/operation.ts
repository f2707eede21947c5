/** `indices.delete`: deletes indices. */
import {
  clusterSetting,
  indicesOptions,
  writeIndexProblem,
  type ClusterState,
} from "@orrery/cluster-state";
import { fail, illegalArgument, isGlob } from "@orrery/stdx";
import { acknowledgedParameters, submitOptions } from "../../indices/acknowledged.ts";
import { passBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { indexTargets } from "../../parameters.ts";
import { expressionsOf, readState, targetsOf } from "../../state-reading.ts";
import { validate } from "../../validation.ts";

export const indicesDelete: Operation = defineOperation({
  group: "indices.delete",
  permission: "indices:admin/delete",
  routes: ["DELETE /", "DELETE /{index}"],
  query: { ...acknowledgedParameters, ...indexTargets },
  deviations: [
    {
      kind: "route",
      name: "DELETE /",
      reason: "registered by the product only to reject a request that names no index",
    },
  ],

  async handle({ path, query }, cluster) {
    const expressions = expressionsOf(path["index"]);
    validate([expressions.length === 0 && "index / indices is missing"]);
    const state = await readState(cluster, query);
    checkDestructive(state, expressions);
    const options = {
      ...indicesOptions.strictExpand,
      ignoreAliases: true,
      includeDataStreams: false,
      allowAliasesToMultipleIndices: false,
    };
    const nowMs = cluster.clock.nowMs();
    const targets = targetsOf(state, expressions, options, { query, nowMs });
    passBlocks(
      withoutReleasable(state),
      "metadata_write",
      targets.map(({ name }) => name),
    );
    for (const { name } of targets) {
      const problem = writeIndexProblem(state, name);
      if (problem !== undefined) fail(problem);
    }
    let isAcknowledged = true;
    for (const { name, uuid } of targets) {
      const task = { kind: "delete-index", index: name, uuid, nowMs } as const;
      const { acknowledged } = await cluster.submit(task, submitOptions(query));
      isAcknowledged &&= acknowledged;
    }
    return { body: { acknowledged: isAcknowledged } };
  },
});

function checkDestructive(state: ClusterState, expressions: readonly string[]): void {
  if (!clusterSetting(state, "action.destructive_requires_name")) return;
  if (expressions.every((name) => !isGlob(name) && name !== "_all")) return;
  throw illegalArgument("Wildcard expressions or all indices are not allowed");
}

/** The state without blocks that exist because of a full disk: a deletion frees space, so these must not refuse it. */
function withoutReleasable(state: ClusterState): ClusterState {
  const indices = new Map(
    [...state.blocks.indices].map(([name, blocks]) => [
      name,
      blocks.filter((block) => !block.allowsReleasingResources),
    ]),
  );
  const global = state.blocks.global.filter((block) => !block.allowsReleasingResources);
  return { ...state, blocks: { global, indices } };
}
