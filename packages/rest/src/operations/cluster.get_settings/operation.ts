/** `cluster.get_settings`: persistent and transient settings, with `include_defaults` also the defaults. */
import { clusterSettingDefaults, type Settings } from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";
import { settingsJson } from "../../settings-json.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { duration, flag, managerTimeout, onDemand } from "../../parameters.ts";
import { readState } from "../../state-reading.ts";

export const clusterGetSettings: Operation = defineOperation({
  group: "cluster.get_settings",
  permission: "cluster:monitor/state",
  routes: ["GET /_cluster/settings"],
  query: {
    ...managerTimeout,
    local: flag(false),
    include_defaults: flag(false),
    flat_settings: onDemand(flag(false)),
    timeout: onDemand(duration()),
  },
  deviations: [
    { kind: "parameter", name: "local", reason: "not in the description; the product takes it" },
  ],

  async handle({ query }, cluster) {
    const state = await readState(cluster, query);
    const { persistentSettings, transientSettings } = state.metadata;
    const isFlat = query.flat_settings;
    const defaults = (): ReturnType<typeof settingsJson> =>
      settingsJson(defaultsOf({ ...persistentSettings, ...transientSettings }, cluster), isFlat);
    return {
      body: {
        persistent: settingsJson(persistentSettings, isFlat),
        transient: settingsJson(transientSettings, isFlat),
        defaults: query.include_defaults ? defaults() : undefined,
      },
    };
  },
});

/** Values in force for settings that the cluster does not set: the node's configuration, else the built-in default. */
function defaultsOf(settings: Settings, cluster: Cluster): Settings {
  const defaults = Object.entries(
    clusterSettingDefaults(cluster.product.rules.settings, settings),
  ).map(([key, value]) => [key, givenTo(cluster, key, value)]);
  return Object.fromEntries(defaults) as Settings;
}

function givenTo(cluster: Cluster, key: string, fallback: Settings[string]): Settings[string] {
  const given = cluster.setting(key);
  if (given === undefined) return fallback;
  return typeof fallback === "string" ? given : given.split(",").map((part) => part.trim());
}
