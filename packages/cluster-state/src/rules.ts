/**
 * What decides which changes of the cluster state are taken, and how: settings and the changes of plugins. Every node of a cluster
 * has the same, composed once when it starts; nothing is added to them afterwards.
 */
import { assert, type JsonObject } from "@orrery/stdx";
import { composeSettings, type SettingsModule, type SettingTables } from "./settings/table.ts";
import type { ClusterState, Outcome } from "./types.ts";

export interface Rules {
  readonly settings: SettingTables;
  /** By the name of a task, `<plugin>/<task>`. */
  readonly reducers: ReadonlyMap<string, PluginReducer>;
}

/** As pure as any task of the product itself. */
export type PluginReducer = (state: ClusterState, body: JsonObject, rules: Rules) => Outcome;

export interface RulesModule extends SettingsModule {
  readonly reducers?: Readonly<Record<string, PluginReducer>>;
}

export function composeRules(modules: readonly RulesModule[]): Rules {
  const named = modules.flatMap(({ reducers = {} }) => Object.entries(reducers));
  const reducers = new Map(named);
  assert(reducers.size === named.length, "two plugins have a task of the same name");
  return { settings: composeSettings(modules), reducers };
}

/** Of the product without plugins. */
export const coreRules: Rules = composeRules([]);
