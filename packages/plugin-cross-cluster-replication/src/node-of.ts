/** The plugin's part of a node, for operations that are given the cluster as seen through that node. */
import type { Cluster, PluginNode } from "@orrery/node";
import { defined } from "@orrery/stdx";

const nodes = new WeakMap<Cluster, PluginNode>();

export function rememberNode(node: PluginNode): void {
  nodes.set(node.cluster, node);
}

export function nodeOf(cluster: Cluster): PluginNode {
  return defined(nodes.get(cluster), "a node that the plugin was started on");
}
