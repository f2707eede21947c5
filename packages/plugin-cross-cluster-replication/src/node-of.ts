/** The plugin as it was started on a node, for operations that are given the cluster as seen through that node. */
import type { Cluster, PluginInstance, PluginNode } from "@orrery/node";
import { defined } from "@orrery/stdx";
import { PLUGIN_NAME } from "./names.ts";

/** What `start` of the plugin returns. */
export interface Started extends PluginInstance {
  readonly node: PluginNode;
}

export function nodeOf(cluster: Cluster): PluginNode {
  const started = cluster.started(PLUGIN_NAME);
  return defined(isStarted(started) ? started.node : undefined, "a node with the plugin");
}

function isStarted(instance: PluginInstance | undefined): instance is Started {
  return instance !== undefined && "node" in instance;
}
