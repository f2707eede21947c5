/**
 * Boots a node over a host: identity, links, roles, services, plugins, and the cluster as seen through the node
 * (`Node` of OpenSearch).
 */
import {
  createClusterManager,
  type BeginTermService,
  type ClusterManager,
} from "@orrery/cluster-manager";
import { withNodeSettings, type DiscoveryNode, type Settings } from "@orrery/cluster-state";
import { createCoordinator, type Coordinator } from "@orrery/coordinator";
import { PipelineTable } from "@orrery/ingest";
import { createTracer, ownWork, rareLog, type Host, type Tracer, type Work } from "@orrery/ports";
import {
  createKeyedValues,
  createRandom,
  defined,
  newUuid,
  OperationError,
  parseDuration,
  type Problem,
  stackOf,
} from "@orrery/stdx";
import type { Cluster, NodeStatsFacts } from "./cluster.ts";
import {
  attributesOf,
  indexingLimitOf,
  maxContentLengthOf,
  productVersion,
  rolesOf,
  textSetting,
  type NodeConfig,
} from "./config.ts";
import { corsPolicyOf } from "./cors.ts";
import { countedNetwork } from "./counted-network.ts";
import { nodeIdentity } from "./identity.ts";
import { reportLostCopies } from "./lost-copies.ts";
import { NodeCluster } from "./node-cluster.ts";
import type { PluginInstance, PluginNode } from "./plugin.ts";
import { coreProduct, settingsProblem, type Product } from "./product.ts";
import { createRemoteClusters } from "./remotes/remote-clusters.ts";
import { createRouter, type Router } from "./router.ts";
import { startServices, type NodeRoles } from "./services.ts";
import { createStores } from "./stores.ts";

/** Counters of an HTTP server, read when they are asked for. */
export type HttpCounts = () => NonNullable<NodeStatsFacts["http"]>;

export interface Node {
  readonly cluster: Cluster;
  /** Reports why an elected cluster manager refuses this node's join; the node retries. */
  onJoinRefused(listener: (problem: Problem) => void): void;
  /**
   * Requests, answers and waits for a cluster state that the main thread has begun and not ended. Shard workers
   * report theirs themselves.
   */
  work(): readonly Work[];
  /** Functions that are called for each cluster state, for the search for leaks. */
  readonly stateListeners: number;
  /** Takes the counters of the node's HTTP server, which starts after it. */
  countHttp(counts: HttpCounts): void;
  /** Closes shards, leaves the cluster, and closes the host's network and store. */
  stop(): Promise<void>;
}

/**
 * Starts a node. The identity is durable before the network listens, and services and plugins are started before the
 * cluster manager's role, which joins.
 * @throws OperationError A setting is unknown or malformed, the store is another node's, or the address is in use.
 */
export async function startNode(
  given: Host,
  config: NodeConfig,
  product: Product = coreProduct,
): Promise<Node> {
  const { network, counts: transportCounts } = countedNetwork(given.network);
  const host: Host = { ...given, network };
  let httpCounts: HttpCounts | undefined;
  const problem = settingsProblem(product, config.settings, host.process.os.availableProcessors);
  if (problem !== undefined) throw new OperationError(problem);
  const settings = settingsOf(config);
  const id = await nodeIdentity(host, config.name);
  const roles = rolesOf(settings);
  const maxContentLengthBytes = maxContentLengthOf(settings);
  // A malformed policy prevents the start, not the first use of the HTTP server.
  corsPolicyOf(settings);
  let router: Router | undefined;
  const transportAddress = await host.network.listen((connection) => {
    if (router !== undefined) return router.inbound.accept(connection);
    connection.close();
    return { onFrame: () => undefined, onClose: () => undefined };
  });
  const localNode: DiscoveryNode = {
    id,
    name: config.name,
    ephemeralId: newUuid(host.random("node-identity")),
    hostName: config.hostName,
    hostAddress: config.hostAddress,
    transportAddress,
    httpAddress: config.httpAddress,
    roles,
    attributes: attributesOf(settings),
    version: productVersion,
  };
  const { clusterName } = config;
  const tracer = tracerOf(host, localNode);
  let pluginNode: PluginNode | undefined;
  const node = createRoles({
    ...{ host, settings, product, localNode, clusterName, tracer },
    ...{ maxContentLengthBytes, transportCounts },
    boundAddresses: config.boundAddresses,
    httpCounts: () => httpCounts?.(),
    pluginNode: () => defined(pluginNode, "a node whose plugins are started"),
  });
  ({ router } = node);
  const { manager, shards, transport } = node;
  startServices(node);
  const kept = createKeyedValues();
  const cluster = new NodeCluster(
    { ...node, endpoint: transport, random: host.random("requests"), kept },
    ownWork,
  );
  pluginNode = {
    ...{ cluster, transport, kept, trace: host.trace },
    random: (purpose: string) => host.random(purpose),
  };
  const instances = startPlugins(node, pluginNode);
  manager.start();
  host.trace({ kind: "node-started", node: config.name });
  return {
    cluster,
    onJoinRefused: (listener) => void manager.onJoinRefused(listener),
    work: () => [...transport.work(), ...manager.stateWork()],
    get stateListeners() {
      return manager.stateListeners;
    },
    countHttp: (counts) => {
      httpCounts = counts;
    },
    stop: async () => {
      for (const instance of instances) instance.stop?.();
      await shards.stop();
      await manager.stop();
      node.router.close();
      await host.network.close();
      host.store.close();
      host.trace({ kind: "node-stopped", node: config.name });
    },
  };
}

/** The seed of the ids of spans is unique to this node and this start of it, also where `orrery.seed` is not. */
function tracerOf({ spans, clock }: Host, { id, ephemeralId }: DiscoveryNode): Tracer | undefined {
  const seed = `spans of ${id} ${ephemeralId} ${clock.nowMs()}`;
  return spans && createTracer(spans, clock, createRandom(seed));
}

/** The node's settings as it shows them. */
function settingsOf(config: NodeConfig): Settings {
  return {
    ...config.settings,
    "client.type": "node",
    // Settings that the product's only implementations of HTTP and transport add to those of the node.
    "http.type.default": "netty4",
    "transport.type.default": "netty4",
    "node.attr.shard_indexing_pressure_enabled": "true",
    "cluster.name": config.clusterName,
    "node.name": config.name,
  };
}

/** The values that the roles are created from. */
interface RoleInputs extends Pick<
  NodeRoles,
  | "host"
  | "settings"
  | "product"
  | "maxContentLengthBytes"
  | "boundAddresses"
  | "pluginNode"
  | "transportCounts"
  | "httpCounts"
> {
  readonly localNode: DiscoveryNode;
  readonly clusterName: string;
  readonly tracer: Tracer | undefined;
}

interface Roles extends NodeRoles, RoleInputs {
  readonly router: Router;
  readonly transport: Router["endpoint"];
}

function createRoles(inputs: RoleInputs): Roles {
  const { host, settings, localNode } = inputs;
  const stores = createStores({
    host,
    nodeId: localNode.id,
    keepsMetadata: textSetting(settings, "gateway.write_dangling_indices_info") !== "false",
  });
  const router = createRouter({
    host,
    localNode,
    clusterName: inputs.clusterName,
    settings,
    processors: host.process.os.availableProcessors,
    product: inputs.product,
    tracer: inputs.tracer,
    connectTimeoutMs: durationSetting(settings, "discovery.probe.connect_timeout", 3000),
    reconnectIntervalMs: durationSetting(settings, "cluster.nodes.reconnect_interval", 10_000),
    stallTimeoutMs: durationSetting(settings, "orrery.shard_worker.stall_timeout", 30_000),
    onWorkerApplied: (state) => stores.free(state),
    onWorkerDeath: (lost, reason) =>
      void reportLostCopies({ host, transport, state: manager.state() }, lost, reason),
  });
  const { endpoint: transport, peers, shards } = router;
  const { rules, shards: shardProduct } = inputs.product;
  const manager = createClusterManager({
    ...{ host, transport, peers, localNode, settings, rules },
    repositoryTypes: shardProduct.repositoryTypes,
    termServices: termServicesOf(inputs),
  });
  const remotes = createRemoteClusters({
    peers: router.remotePeers,
    transport,
    clock: host.clock,
    log: host.log,
    localNode,
    state: () => withNodeSettings(manager.state(), settings),
  });
  const coordinator = coordinatorOf(inputs, transport, manager);
  return { ...inputs, stores, router, transport, shards, manager, remotes, coordinator };
}

function coordinatorOf(
  { host, settings, product }: RoleInputs,
  transport: Router["endpoint"],
  manager: ClusterManager,
): Coordinator {
  const tellUnforeseen = rareLog(host.log, host.clock, { level: "error", isStack: true });
  return createCoordinator({
    transport,
    clock: host.clock,
    random: host.random("coordinator"),
    nodeSettings: settings,
    language: product.language,
    pipelines: new PipelineTable(product.processors),
    onUnforeseen: (processor, thrown) =>
      tellUnforeseen(`processor [${processor}] failed: ${stackOf(thrown)}`),
    indexingLimitBytes: () => indexingLimitOf(settings, host.process.stats().heapMaxBytes),
    state: () => manager.state(),
    stateWhen: (reached, timeoutMs) => manager.stateWhen(reached, timeoutMs),
    submit: (context, task, options) => manager.under(context).submit(task, options),
  });
}

/** Starts the plugins in their order; each follows applied states afterwards. */
function startPlugins({ product, manager }: Roles, node: PluginNode): readonly PluginInstance[] {
  const instances = product.plugins.flatMap(({ start }) => start?.(node) ?? []);
  manager.onApplied((state) => {
    for (const instance of instances) instance.applied?.(state);
  });
  return instances;
}

/** Term services of plugins; they are begun with a term, by when the plugins are started. */
function termServicesOf({ product, pluginNode }: RoleInputs): readonly BeginTermService[] {
  const rows = product.plugins.flatMap(({ termServices }) => termServices ?? []);
  return rows.map((begin) => (term) => {
    const service = begin(pluginNode(), term);
    return {
      applied: (_entry, state) => service.applied?.(state),
      changed: () => service.changed?.(),
      end: () => service.end?.(),
    };
  });
}

/** @throws OperationError `illegal_argument_exception`: the setting is no duration. */
function durationSetting(settings: Settings, key: string, fallbackMs: number): number {
  const text = textSetting(settings, key);
  if (text === undefined) return fallbackMs;
  const parsed = parseDuration(text);
  if (parsed !== undefined) return parsed;
  const reason = `failed to parse setting [${key}] with value [${text}] as a time value: unit is missing or unrecognized`;
  throw new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
}
