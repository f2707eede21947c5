/**
 * A plugin: tasks of the cluster state, settings, transport actions, REST operations, sections of statistics, term
 * services, and a half for shard workers. A composition root names the plugins; no package inside knows any.
 */
import type { ClusterState, RulesModule } from "@orrery/cluster-state";
import type { ProcessorType } from "@orrery/ingest";
import type { ActionCall, Guard, GuardedCall, Trace, Transport } from "@orrery/ports";
import type { ActionRow } from "@orrery/protocol";
import type { ShardPlugin } from "@orrery/shard-worker";
import type { KeyedValues, Random } from "@orrery/stdx";
import type { Cluster } from "./cluster.ts";
import type { NodeSection } from "./node-sections.ts";

/** A plugin, as the node's program is composed of it. Every member but name, description and classname is optional. */
export interface Plugin extends RulesModule {
  /** `opensearch-…`, as `_cat/plugins` lists it. */
  readonly name: string;
  readonly description: string;
  readonly classname: string;
  /** Made by `defineOperation` of `rest`, which alone knows their contents. */
  readonly operations?: readonly PluginOperation[];
  readonly shards?: ShardPlugin;
  /** Processor types of ingest pipelines; they run on the coordinating node. */
  readonly processors?: readonly ProcessorType[];
  /** Guards around REST operations. */
  readonly operationGuards?: readonly Guard<OperationCall>[];
  /** Guards around the handlers of nodes' own endpoints; those of shards are in `shards`. */
  readonly actionGuards?: readonly Guard<ActionCall>[];
  /** Transport actions by name: who may send them, and the permission that they need. */
  readonly actions?: Readonly<Record<string, ActionRow>>;
  /** Sections of `_nodes/stats`; `infoSections` are those of `_nodes`. */
  readonly statsSections?: readonly NodeSection[];
  readonly infoSections?: readonly NodeSection[];
  /** Each begins with every term in which the node is the elected cluster manager, and ends with the term. */
  readonly termServices?: readonly BeginPluginTerm[];
  /** Called once per node, before it joins: registers transport actions and may follow applied states. */
  readonly start?: (node: PluginNode) => PluginInstance;
}

/** A client's request before its parameters and body are read. */
export interface OperationCall extends GuardedCall {
  /** The official operation group. */
  readonly group: string;
  /** Index expressions of the path. Indices that a body names are known at the shards. */
  readonly indices: readonly string[];
  /** Decoded parameters of the path. */
  readonly path: Readonly<Record<string, string | undefined>>;
  /** The first value of a header. */
  header(name: string): string | undefined;
}

/** A REST operation, as the node lists it. */
export interface PluginOperation {
  readonly group: string;
  readonly permission: string;
  readonly routes: readonly string[];
}

/** A node as its plugins see it. */
export interface PluginNode {
  readonly cluster: Cluster;
  readonly transport: Transport;
  readonly trace: Trace;
  /** A generator for one purpose. */
  random(purpose: string): Random;
  /** Values of plugins on this node; `cluster.kept` is the same. */
  readonly kept: KeyedValues;
}

/** Creates a plugin's service for a term of the elected cluster manager. */
export type BeginPluginTerm = (node: PluginNode, term: number) => PluginTermService;

/** A service of the elected cluster manager, for one term. */
export interface PluginTermService {
  /**
   * Called after each log entry that the node has applied; first when the state names the node as elected cluster
   * manager.
   */
  applied?(state: ClusterState): void;
  /** Raft's state or the set of connected nodes has changed. */
  changed?(): void;
  /** The term has ended, and another node may be elected already: the service cancels what it has begun. */
  end?(): void;
}

/** A started plugin on one node. */
export interface PluginInstance {
  /** Called after each state that the node has applied. */
  applied?(state: ClusterState): void;
  stop?(): void;
}
