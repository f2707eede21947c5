/** A task of a plugin; its reducer is looked up by name in the rules. */
import type { JsonObject } from "@orrery/stdx";
import type { Rules } from "../rules.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected } from "../updates.ts";

export interface PluginTask {
  readonly kind: "plugin-task";
  /** `<plugin>/<task>` */
  readonly name: string;
  readonly body: JsonObject;
}

/** Runs the reducer of a plugin. Rejected when no installed plugin has a reducer of this name. */
export function pluginTask(state: ClusterState, { name, body }: PluginTask, rules: Rules): Outcome {
  const reducer = rules.reducers.get(name);
  if (reducer !== undefined) return reducer(state, body, rules);
  const reason = `Unknown cluster state update [${name}], the plugin that knows it is not installed`;
  return rejected({ type: "illegal_argument_exception", reason, status: 400 });
}
