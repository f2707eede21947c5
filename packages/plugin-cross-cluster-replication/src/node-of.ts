/** Keeps the `PluginNode` with its node, for operations, which are given the cluster only. */
import type { Cluster, PluginNode } from "@orrery/node";
import { defined, type ValueKey } from "@orrery/stdx";

const started: ValueKey<{ node?: PluginNode }> = {
  name: "node of cross-cluster replication",
  create: () => ({}),
};

/** Stores the plugin's node with its cluster, at the start of the plugin. */
export function keepNode(node: PluginNode): void {
  node.kept.of(started).node = node;
}

/** The plugin's node of a cluster. The plugin must have been started. */
export function nodeOf({ kept }: Cluster): PluginNode {
  return defined(kept.of(started).node, "a node with the plugin");
}
