/**
 * What a package adds to a node: tasks of the cluster state, settings, transport actions, REST operations, statistics,
 * shard hooks. A composition root names the plugins; nothing inside knows any.
 */
import type { ClusterState, RulesModule } from "@orrery/cluster-state";
import type { Trace, Transport } from "@orrery/ports";
import type { Sender } from "@orrery/protocol";
import type { ShardPart } from "@orrery/shard-worker";
import type { Random } from "@orrery/stdx";
import type { Cluster } from "./cluster.ts";

export interface Plugin extends RulesModule, ShardPart {
  /** `opensearch-…`, as `_cat/plugins` lists it. */
  readonly name: string;
  readonly description: string;
  readonly classname: string;
  /** Made by `defineOperation` of `rest`, which alone looks inside. */
  readonly operations?: readonly PluginOperation[];
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
