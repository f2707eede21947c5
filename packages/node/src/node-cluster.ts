/**
 * The cluster through one node for one request: coordinating node, elected cluster manager and other nodes, each
 * addressed under the request's context.
 */
import type { ClusterManager, ManagerRequests } from "@orrery/cluster-manager";
import { withNodeSettings, type DiscoveryNode, type Settings } from "@orrery/cluster-state";
import { CoordinatorRequests, type Coordinator } from "@orrery/coordinator";
import {
  underContext,
  type Caller,
  type Cancellation,
  type Clock,
  type Endpoint,
  type Host,
  type Log,
  type ProcessInfo,
  type RequestContext,
  type SpanSink,
  type Tracer,
  type Transport,
} from "@orrery/ports";
import type { KeyedValues, NodeId, Random } from "@orrery/stdx";
import type { Cluster, DanglingIndices, NodesStatsRequest } from "./cluster.ts";
import { textSetting } from "./config.ts";
import { mergeDangling } from "./dangling.ts";
import { askNodes } from "./facts.ts";
import type { Product } from "./product.ts";
import type { RemoteClusters } from "./remotes/remote-clusters.ts";
import { shardStores, type ShardPlace, type ShardStoresOfNodes } from "./shard-stores.ts";

/** The parts of a node, shared by all its requests. */
export interface NodeParts {
  readonly host: Host;
  readonly localNode: DiscoveryNode;
  readonly settings: Settings;
  /** One generator for all requests. */
  readonly random: Random;
  readonly product: Product;
  readonly remotes: RemoteClusters;
  readonly endpoint: Endpoint;
  readonly manager: ClusterManager;
  readonly coordinator: Coordinator;
  readonly kept: KeyedValues;
  readonly tracer: Tracer | undefined;
}

type NodeFacts<Name extends "nodesInfo" | "nodesStats"> = ReturnType<Cluster[Name]>;

/**
 * The cluster of one request. This is a class because each request makes an instance and uses few of its members;
 * members that callers pass on as functions are bound.
 */
export class NodeCluster extends CoordinatorRequests implements Cluster {
  readonly context: RequestContext;
  private readonly parts: NodeParts;
  private asked: ManagerRequests | undefined;

  constructor(parts: NodeParts, context: RequestContext) {
    super(parts.coordinator.depsUnder(context), parts.coordinator.shared);
    this.parts = parts;
    this.context = context;
  }

  under(context: RequestContext): Cluster {
    return new NodeCluster(this.parts, context);
  }

  begin(caller: Caller, cancellation: Cancellation): RequestContext {
    return this.parts.endpoint.begin(caller, cancellation);
  }

  get localNode(): DiscoveryNode {
    return this.parts.localNode;
  }

  get clock(): Clock {
    return this.parts.host.clock;
  }

  get random(): Random {
    return this.parts.random;
  }

  get log(): Log {
    return this.parts.host.log;
  }

  get process(): ProcessInfo {
    return this.parts.host.process;
  }

  get tracer(): Tracer | undefined {
    return this.parts.tracer;
  }

  get spans(): SpanSink | undefined {
    return this.parts.host.spans;
  }

  get isStrict(): boolean {
    return this.setting("orrery.strict") === "true";
  }

  get setting(): Cluster["setting"] {
    const { settings } = this.parts;
    return (key) => textSetting(settings, key);
  }

  get remotes(): RemoteClusters {
    return this.parts.remotes;
  }

  get withOwnSettings(): Cluster["withOwnSettings"] {
    const { settings } = this.parts;
    return (state) => withNodeSettings(state, settings);
  }

  get product(): Product {
    return this.parts.product;
  }

  get kept(): KeyedValues {
    return this.parts.kept;
  }

  get state(): Cluster["state"] {
    return this.parts.manager.state;
  }

  get stateWhen(): Cluster["stateWhen"] {
    return this.parts.manager.stateWhen;
  }

  get votingConfigurations(): Cluster["votingConfigurations"] {
    return this.parts.manager.votingConfigurations;
  }

  get managerState(): Cluster["managerState"] {
    return this.manager.managerState;
  }

  get submit(): Cluster["submit"] {
    return this.manager.submit;
  }

  get reroute(): Cluster["reroute"] {
    return this.manager.reroute;
  }

  get explainAllocation(): Cluster["explainAllocation"] {
    return this.manager.explainAllocation;
  }

  get manage(): Cluster["manage"] {
    return this.manager.manage;
  }

  get pendingTasks(): Cluster["pendingTasks"] {
    return this.manager.pendingTasks;
  }

  get decommission(): Cluster["decommission"] {
    return this.manager.decommission;
  }

  nodesInfo(nodeIds: readonly NodeId[], metrics: readonly string[]): NodeFacts<"nodesInfo"> {
    return askNodes(this.transport, nodeIds, "nodeInfo", { metrics });
  }

  nodesStats(nodeIds: readonly NodeId[], { metrics }: NodesStatsRequest): NodeFacts<"nodesStats"> {
    return askNodes(this.transport, nodeIds, "nodeStats", { metrics });
  }

  shardStores(place: ShardPlace): Promise<ShardStoresOfNodes> {
    return shardStores(this.transport, this.state(), place);
  }

  async danglingIndices(nodeIds: readonly NodeId[], uuid?: string): Promise<DanglingIndices> {
    const answer = await askNodes(this.transport, nodeIds, "danglingIndices", { uuid });
    return { answer, indices: mergeDangling(answer.nodes) };
  }

  private get transport(): Transport {
    return underContext(this.parts.endpoint, this.context);
  }

  private get manager(): ManagerRequests {
    return (this.asked ??= this.parts.manager.under(this.context));
  }
}
