/**
 * What a package adds to a node: tasks of the cluster state, settings, transport actions, REST operations, statistics,
 * shard hooks. A composition root names the plugins; nothing inside knows any.
 */
import {
  nodeSettingProblem,
  nodeSettingsProblem,
  registerReducers,
  registerSettings,
  type ClusterState,
  type PluginReducer,
  type SettingRow,
  type Settings,
} from "@orrery/cluster-state";
import type { Trace, Transport } from "@orrery/ports";
import type { Sender } from "@orrery/protocol";
import type { ShardPlugin } from "@orrery/shard-worker";
import type { Problem, Random } from "@orrery/stdx";
import type { Cluster } from "./cluster.ts";

export interface Plugin {
  /** `opensearch-…`, as `_cat/plugins` lists it. */
  readonly name: string;
  readonly description: string;
  readonly classname: string;
  readonly indexSettings?: readonly SettingRow[];
  readonly clusterSettings?: readonly SettingRow[];
  /** By the name of the task, which begins with that of the plugin. */
  readonly reducers?: Readonly<Record<string, PluginReducer>>;
  /** Made by `defineOperation` of `rest`, which alone looks inside. */
  readonly operations?: readonly PluginOperation[];
  readonly shards?: ShardPlugin;
  /** Its transport actions, by their names: who may send them. One without a row is the nodes' own. */
  readonly senders?: Readonly<Record<string, Sender>>;
  /** Once for each node, before it joins: adds transport actions, and follows what the node applies. */
  readonly start?: (node: PluginNode) => PluginInstance;
}

export interface PluginOperation {
  readonly group: string;
  readonly routes: readonly string[];
}

export interface PluginNode {
  readonly cluster: Cluster;
  readonly transport: Transport;
  readonly trace: Trace;
  random(purpose: string): Random;
}

export interface PluginInstance {
  /** After each state that the node has applied. */
  applied?(state: ClusterState): void;
  stop?(): void;
}

/** Settings and tasks belong to the program: every cluster in it knows them. */
export function register(plugins: readonly Plugin[]): void {
  for (const { indexSettings = [], clusterSettings = [], reducers = {} } of plugins) {
    registerSettings("index", indexSettings);
    registerSettings("cluster", clusterSettings);
    registerReducers(reducers);
  }
}

/** Why no node of this program starts with this setting, whatever the others are, in the product's words. */
export function settingProblem(
  key: string,
  value: string,
  plugins: readonly Plugin[],
): Problem | undefined {
  register(plugins);
  return nodeSettingProblem(key, value);
}

/** The same of all that it is given. */
export function settingsProblem(
  settings: Settings,
  plugins: readonly Plugin[],
): Problem | undefined {
  register(plugins);
  return nodeSettingsProblem(settings);
}

export function pluginActionsOf(plugins: readonly Plugin[]): Readonly<Record<string, Sender>> {
  return Object.fromEntries(plugins.flatMap(({ senders = {} }) => Object.entries(senders)));
}

export function shardPluginsOf(plugins: readonly Plugin[]): readonly ShardPlugin[] {
  return plugins.flatMap(({ shards }) => (shards === undefined ? [] : [shards]));
}
