/** `indices.get_settings`: settings of indices, all or by name pattern. */
import { matchesGlob } from "@orrery/stdx";
import { indexSettingDefaults, indicesOptions, type Settings } from "@orrery/cluster-state";
import { withReadableSettings } from "../../cluster-state-json.ts";
import { settingsJson } from "../../settings-json.ts";
import { passBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, indexTargets, managerTimeout, onDemand, splitList } from "../../parameters.ts";
import { expressionsOf, readState, targetsOf } from "../../state-reading.ts";

export const indicesGetSettings: Operation = defineOperation({
  group: "indices.get_settings",
  permission: "indices:monitor/settings/get",
  routes: [
    "GET /_settings",
    "GET /_settings/{name}",
    "GET /{index}/_settings",
    "GET /{index}/_settings/{name}",
    "GET /{index}/_setting/{name}",
  ],
  query: {
    ...managerTimeout,
    ...indexTargets,
    local: flag(false),
    include_defaults: flag(false),
    flat_settings: onDemand(flag(false)),
  },
  deviations: [
    {
      kind: "route",
      name: "GET /{index}/_setting/{name}",
      reason: "an old spelling that the product still routes; not in the description",
    },
  ],

  async handle({ path, query, request }, cluster) {
    const state = await readState(cluster, query);
    const targets = targetsOf(state, expressionsOf(path["index"]), indicesOptions.strictExpand, {
      query,
      nowMs: cluster.clock.nowMs(),
    });
    passBlocks(
      state,
      "metadata_read",
      targets.map(({ name }) => name),
    );
    const patterns = path["name"] === undefined ? [] : splitList(path["name"]);
    const entries = targets.flatMap(({ name, metadata }) => {
      const settings = named(
        request.isHuman ? withReadableSettings(metadata.settings) : metadata.settings,
        patterns,
      );
      const defaults = query.include_defaults
        ? named(indexSettingDefaults(cluster.product.rules.settings, metadata.settings), patterns)
        : undefined;
      if (Object.keys(settings).length === 0 && defaults === undefined) return [];
      const shown = {
        settings: settingsJson(settings, query.flat_settings),
        defaults: defaults === undefined ? undefined : settingsJson(defaults, query.flat_settings),
      };
      return [[name, shown] as const];
    });
    return { body: Object.fromEntries(entries) };
  },
});

function named(settings: Settings, patterns: readonly string[]): Settings {
  if (patterns.length === 0 || patterns.includes("_all")) return settings;
  const kept = Object.entries(settings).filter(([key]) =>
    patterns.some((pattern) => matchesGlob(pattern, key)),
  );
  return Object.fromEntries(kept);
}
