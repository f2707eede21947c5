/**
 * Rules of reducers: the settings that exist, and the reducers of plugins. Every node of a cluster composes the same
 * rules when it starts, since application of an entry depends on them (INV-COORD-3).
 */
import { assert, type JsonObject } from "@orrery/stdx";
import { composeSettings, type SettingsModule, type SettingTables } from "./settings/table.ts";
import type { ClusterState, Outcome } from "./types.ts";

/** The rules by which a state is changed: the known settings, and the reducers of plugin tasks. Immutable. */
export interface Rules {
  readonly settings: SettingTables;
  /** Reducers of plugin tasks by name, `<plugin>/<task>`. */
  readonly reducers: ReadonlyMap<string, PluginReducer>;
}

/** Reducer of a plugin task; pure and deterministic, as the core's are. */
export type PluginReducer = (state: ClusterState, body: JsonObject, rules: Rules) => Outcome;

/** Rules that one plugin adds. */
export interface RulesModule extends SettingsModule {
  readonly reducers?: Readonly<Record<string, PluginReducer>>;
}

/** The rules of the core and of modules. Asserts that no task name occurs twice. */
export function composeRules(modules: readonly RulesModule[]): Rules {
  const named = modules.flatMap(({ reducers = {} }) => Object.entries(reducers));
  const reducers = new Map(named);
  assert(reducers.size === named.length, "two plugins have a task of the same name");
  return { settings: composeSettings(modules), reducers };
}

/** Rules without plugins. */
export const coreRules: Rules = composeRules([]);
