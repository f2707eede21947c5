/**
 * A change that a plugin makes. Its reducer is found by name among those that plugins have registered, and is as pure as
 * any other: every node of a cluster has the same plugins, and comes to the same state.
 */
import type { JsonObject } from "@orrery/stdx";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected } from "../updates.ts";

export interface PluginTask {
  readonly kind: "plugin-task";
  /** `<plugin>/<task>` */
  readonly name: string;
  readonly body: JsonObject;
}

export type PluginReducer = (state: ClusterState, body: JsonObject) => Outcome;

const reducers = new Map<string, PluginReducer>();

/** Registering a name again changes nothing: several nodes may share a process. */
export function registerReducers(named: Readonly<Record<string, PluginReducer>>): void {
  for (const [name, reducer] of Object.entries(named)) {
    if (!reducers.has(name)) reducers.set(name, reducer);
  }
}

export function pluginTask(state: ClusterState, { name, body }: PluginTask): Outcome {
  const reducer = reducers.get(name);
  if (reducer !== undefined) return reducer(state, body);
  const reason = `Unknown cluster state update [${name}], the plugin that knows it is not installed`;
  return rejected({ type: "illegal_argument_exception", reason, status: 400 });
}
