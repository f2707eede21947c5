/**
 * What a package adds to a node: tasks of the cluster state, settings, transport actions, REST operations, sections of statistics,
 * services of a term, shard hooks. A composition root names the plugins; nothing inside knows any.
 */
import type { ClusterState, RulesModule } from "@orrery/cluster-state";
import type { ProcessorType } from "@orrery/ingest";
import type { ActionCall, Guard, GuardedCall, Trace, Transport } from "@orrery/ports";
import type { ActionRow } from "@orrery/protocol";
import type { ShardPlugin } from "@orrery/shard-worker";
import type { KeyedValues, Random } from "@orrery/stdx";
import type { Cluster } from "./cluster.ts";
import type { NodeSection } from "./node-sections.ts";

export interface Plugin extends RulesModule {
  /** `opensearch-…`, as `_cat/plugins` lists it. */
  readonly name: string;
  readonly description: string;
  readonly classname: string;
  /** Made by `defineOperation` of `rest`, which alone looks inside. */
  readonly operations?: readonly PluginOperation[];
  readonly shards?: ShardPlugin;
  /** Processor types of ingest pipelines. They run on the node that coordinates the write. */
  readonly processors?: readonly ProcessorType[];
  /** Around REST operations, and around the handlers of the nodes' own endpoints; those of shards are in `shards`. */
  readonly operationGuards?: readonly Guard<OperationCall>[];
  readonly actionGuards?: readonly Guard<ActionCall>[];
  /** Its transport actions, by their names: who may send them, and what they need permission for. */
  readonly actions?: Readonly<Record<string, ActionRow>>;
  /** Sections of `_nodes/stats`, and of `_nodes`. */
  readonly statsSections?: readonly NodeSection[];
  readonly infoSections?: readonly NodeSection[];
  /** Each begins with every term in which the node is the elected cluster manager, and is lost with the term. */
  readonly termServices?: readonly BeginPluginTerm[];
  /** Once for each node, before it joins: adds transport actions, and follows what the node applies. */
  readonly start?: (node: PluginNode) => PluginInstance;
}

/** A client's request, before its parameters and its body are read. */
export interface OperationCall extends GuardedCall {
  /** The official group. */
  readonly group: string;
  /** Index expressions of the path. What a body names is known at the shards. */
  readonly indices: readonly string[];
  /** Decoded parameters of the path. */
  readonly path: Readonly<Record<string, string | undefined>>;
  /** A header's first value. */
  header(name: string): string | undefined;
}

export interface PluginOperation {
  readonly group: string;
  readonly permission: string;
  readonly routes: readonly string[];
}

export interface PluginNode {
  readonly cluster: Cluster;
  readonly transport: Transport;
  readonly trace: Trace;
  random(purpose: string): Random;
  /** Values that plugins keep on the node; `cluster.kept` has the same ones. */
  readonly kept: KeyedValues;
}

export type BeginPluginTerm = (node: PluginNode, term: number) => PluginTermService;

export interface PluginTermService {
  /** After each entry of the log that the node has applied; first when the state says that the node is the elected cluster manager. */
  applied?(state: ClusterState): void;
  /** Raft, or the set of connected nodes, has changed. */
  changed?(): void;
  /** The term is over: another node may be elected already. What the service has begun, it ends here. */
  end?(): void;
}

export interface PluginInstance {
  /** After each state that the node has applied. */
  applied?(state: ClusterState): void;
  stop?(): void;
}
