/** The node that the plugin was started on, for operations that are given the cluster as seen through that node. */
import type { Cluster, PluginNode } from "@orrery/node";
import { defined, type ValueKey } from "@orrery/stdx";

const started: ValueKey<{ node?: PluginNode }> = {
  name: "node of cross-cluster replication",
  create: () => ({}),
};

export function keepNode(node: PluginNode): void {
  node.kept.of(started).node = node;
}

export function nodeOf({ kept }: Cluster): PluginNode {
  return defined(kept.of(started).node, "a node with the plugin");
}
