/** `indices.put_settings`: changes settings of indices: dynamic settings of open ones, nearly all of closed ones. */
import {
  checkBlock,
  flattenSettings,
  indicesOptions,
  validateIndexSettings,
  type ClusterState,
  type IndexMetadata,
  type SettingsChange,
} from "@orrery/cluster-state";
import { checkAnalysis } from "@orrery/query";
import { fail, isJsonObject } from "@orrery/stdx";
import { requiredMap, type ReadObject } from "../../body.ts";
import type { Content } from "../../content.ts";
import { acknowledgedParameters, submitOptions } from "../../indices/acknowledged.ts";
import { defineOperation, type Operation, type RequestView } from "../../operation.ts";
import { flag, indexTargets, onDemand } from "../../parameters.ts";
import { expressionsOf, readState, targetsOf } from "../../state-reading.ts";
import { validate } from "../../validation.ts";

export const indicesPutSettings: Operation = defineOperation({
  group: "indices.put_settings",
  permission: "indices:admin/settings/update",
  routes: ["PUT /_settings", "PUT /{index}/_settings"],
  query: {
    ...acknowledgedParameters,
    ...indexTargets,
    preserve_existing: flag(false),
    flat_settings: onDemand(flag(false)),
  },
  body: settingsOf,
  deviations: [],

  async handle({ path, query, body }, cluster) {
    validate([Object.keys(body).length === 0 && "no settings to update"]);
    const state = await readState(cluster, query);
    const nowMs = cluster.clock.nowMs();
    const options = { ...indicesOptions.strictExpand, allowNoIndices: false };
    const indices = targetsOf(state, expressionsOf(path["index"]), options, { query, nowMs }).map(
      ({ name }) => name,
    );
    passMetadataBlocks(state, body, indices);
    const problem = validateIndexSettings(cluster.product.rules.settings.index, body, {
      isCreate: false,
    });
    if (problem !== undefined) fail(problem);
    for (const index of indices) checkClosed(state.metadata.indices.get(index), body);
    const { acknowledged } = await cluster.submit(
      {
        kind: "update-index-settings",
        indices,
        settings: body,
        preserveExisting: query.preserve_existing,
        nowMs,
      },
      submitOptions(query),
    );
    return { body: { acknowledged } };
  },
});

/** Settings at the top level or under `settings`; the prefix `index.` is optional. */
function settingsOf(content: Content | undefined, request: RequestView): SettingsChange {
  const { object }: ReadObject = requiredMap(content, request);
  const inner = object["settings"];
  return flattenSettings(isJsonObject(inner) ? inner : object, "index.");
}

/** Compiles the analyzers of a closed index with the change, since no shard could be opened with invalid ones. */
function checkClosed(index: IndexMetadata | undefined, change: SettingsChange): void {
  if (index?.state !== "close") return;
  const changed = Object.entries({ ...index.settings, ...change });
  checkAnalysis(
    Object.fromEntries(changed.flatMap(([key, value]) => (value === null ? [] : [[key, value]]))),
  );
}

const UNBLOCKING = new Set([
  "index.blocks.metadata",
  "index.blocks.read_only",
  "index.blocks.read_only_allow_delete",
]);

/** Checks metadata blocks. A request whose only setting is such a block passes, or it could never be removed. */
function passMetadataBlocks(
  state: ClusterState,
  change: SettingsChange,
  indices: readonly string[],
): void {
  const keys = Object.keys(change);
  const isUnblocking = keys.length === 1 && UNBLOCKING.has(keys[0] ?? "");
  const problem = checkBlock(state, "metadata_write", isUnblocking ? [] : indices);
  if (problem !== undefined) fail(problem);
}
