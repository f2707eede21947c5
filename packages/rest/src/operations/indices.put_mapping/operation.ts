/** `indices.put_mapping`: merges fields into the mappings of indices. */
import {
  indicesOptions,
  resolveWriteIndex,
  type ClusterState,
  type IndexMetadata,
  type ResolvedIndex,
} from "@orrery/cluster-state";
import { changeMapping } from "@orrery/node";
import { checkPartitioned, mergeMapping, type SearchLanguage } from "@orrery/query";
import type { JsonObject } from "@orrery/stdx";
import { requiredMap } from "../../body.ts";
import { acknowledgedParameters, submitOptions } from "../../indices/acknowledged.ts";
import { passBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, indexTargets } from "../../parameters.ts";
import { expressionsOf, readState, targetsOf } from "../../state-reading.ts";

const plural = "plural spelling of the product, not in the description";

export const indicesPutMapping: Operation = defineOperation({
  group: "indices.put_mapping",
  permission: "indices:admin/mapping/put",
  routes: [
    "PUT /{index}/_mapping",
    "POST /{index}/_mapping",
    "PUT /{index}/_mappings",
    "POST /{index}/_mappings",
  ],
  query: { ...acknowledgedParameters, ...indexTargets, write_index_only: flag(false) },
  body: requiredMap,
  deviations: [
    { kind: "route", name: "PUT /{index}/_mappings", reason: plural },
    { kind: "route", name: "POST /{index}/_mappings", reason: plural },
  ],

  async handle({ path, query, body }, cluster) {
    const expressions = expressionsOf(path["index"]);
    const nowMs = cluster.clock.nowMs();
    const options = { ...indicesOptions.strictExpand, allowNoIndices: false };
    const find = (state: ClusterState): readonly ResolvedIndex[] =>
      query.write_index_only
        ? expressions.map((expression) => resolveWriteIndex(state, expression, nowMs))
        : targetsOf(state, expressions, options, { query, nowMs });
    const state = await readState(cluster, query);
    const targets = find(state);
    passBlocks(
      state,
      "metadata_write",
      targets.map(({ name }) => name),
    );
    // All merges are tried before the first task is submitted, so that a conflict in one index changes no other.
    for (const { metadata } of targets) mergedWith(cluster.product.language, metadata, body.object);
    let isAcknowledged = true;
    for (const { metadata } of targets) {
      const isOne = await changeMapping(cluster, metadata, {
        merge: (index) => mergedWith(cluster.product.language, index, body.object),
        options: submitOptions(query, "HIGH"),
      });
      isAcknowledged &&= isOne;
    }
    return { body: { acknowledged: isAcknowledged } };
  },
});

function mergedWith(
  language: SearchLanguage,
  { name, mapping, settings }: IndexMetadata,
  update: JsonObject,
): JsonObject {
  const merged = mergeMapping(mapping, update, { language, settings });
  checkPartitioned(name, { json: merged }, settings);
  return merged;
}
