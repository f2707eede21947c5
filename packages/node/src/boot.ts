/** Boots one node over a host: identity, links, roles, and the cluster as seen through it. */
import { createClusterManager } from "@orrery/cluster-manager";
import {
  withNodeSettings,
  type DiscoveryNode,
  type Settings,
  type Task,
} from "@orrery/cluster-state";
import { createCoordinator } from "@orrery/coordinator";
import { ownWork, type Host, type Work } from "@orrery/ports";
import { actions, ShardFailedRequest } from "@orrery/protocol";
import { newUuid, OperationError, parseDuration, type Problem, type Random } from "@orrery/stdx";
import type { Cluster } from "./cluster.ts";
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
import { answerDangling, autoImport } from "./dangling.ts";
import { answerFacts } from "./facts.ts";
import { nodeIdentity } from "./identity.ts";
import { NodeCluster } from "./node-cluster.ts";
import type { PluginInstance } from "./plugin.ts";
import { coreProduct, settingsProblem, type Product } from "./product.ts";
import { answerState } from "./remotes/answer-state.ts";
import { createRemoteClusters } from "./remotes/remote-clusters.ts";
import { createRouter, type Router } from "./router.ts";
import { answerStoredShards, createStores } from "./stores.ts";
import type { LostCopy } from "./shard-pool.ts";

export interface Node {
  readonly cluster: Cluster;
  /** Why an elected cluster manager will not have this node; it keeps asking. */
  onJoinRefused(listener: (problem: Problem) => void): void;
  /** Work that its main thread has begun and not ended: requests, answers, waits for a cluster state. Shard workers tell of theirs. */
  work(): readonly Work[];
  /** How many functions are called for each cluster state. */
  readonly stateListeners: number;
  /** Closes shards, leaves, and closes the host's network and store. */
  stop(): Promise<void>;
}

/** Rejects with `OperationError` when a setting is unknown or cannot be read, or the address is taken. */
export async function startNode(
  host: Host,
  config: NodeConfig,
  product: Product = coreProduct,
): Promise<Node> {
  const { plugins, rules } = product;
  const problem = settingsProblem(product, config.settings);
  if (problem !== undefined) throw new OperationError(problem);
  const settings: Settings = {
    ...config.settings,
    "client.type": "node",
    "node.attr.shard_indexing_pressure_enabled": "true",
    "cluster.name": config.clusterName,
    "node.name": config.name,
  };
  const id = await nodeIdentity(host, config.name);
  const roles = rolesOf(settings);
  const maxContentLengthBytes = maxContentLengthOf(settings);
  // Told now, and not when the HTTP server asks for it.
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
  const stores = createStores({
    host,
    nodeId: id,
    keepsMetadata: textSetting(settings, "gateway.write_dangling_indices_info") !== "false",
  });
  const clusterRouter = createRouter({
    host,
    localNode,
    clusterName: config.clusterName,
    settings,
    processors: host.process.os.availableProcessors,
    product,
    connectTimeoutMs: durationSetting(settings, "discovery.probe.connect_timeout", 3000),
    reconnectIntervalMs: durationSetting(settings, "cluster.nodes.reconnect_interval", 10_000),
    stallTimeoutMs: durationSetting(settings, "orrery.shard_worker.stall_timeout", 30_000),
    onWorkerApplied: (state) => stores.free(state),
    onWorkerDeath: (lost, reason) => void reportLost(lost, reason),
  });
  router = clusterRouter;
  const { endpoint: transport, peers, shards } = clusterRouter;
  const manager = createClusterManager({ host, transport, peers, localNode, settings, rules });
  manager.onApplied((state, previous) => {
    stores.applied(state, previous);
    shards.apply(state);
    coordinator.nodesChanged(state.nodes);
  });
  const factsDeps = {
    host,
    transport,
    settings,
    plugins,
    maxContentLengthBytes,
    state: () => manager.state(),
    searchedNodes: () => coordinator.searchedNodes(),
    failOpenCount: () => coordinator.failOpenCount(),
    indexingPressure: () => coordinator.indexingPressure(),
    threadPools: () => shards.threadPools.counts(),
  };
  answerFacts(factsDeps);
  answerStoredShards(host, transport);
  const danglingOptions = {
    host,
    transport,
    state: () => manager.state(),
    isDeleted: stores.isDeleted,
    submit: (task: Task) => manager.submit(task),
  };
  answerDangling(danglingOptions);
  if (textSetting(settings, "gateway.auto_import_dangling_indices") === "true") {
    manager.onApplied(autoImport(danglingOptions));
  }
  answerState({
    transport,
    state: () => manager.state(),
    managerState: (timeoutMs) => manager.managerState(timeoutMs),
  });
  const remotes = createRemoteClusters({
    peers: clusterRouter.remotePeers,
    transport,
    clock: host.clock,
    log: host.log,
    localNode,
    state: () => withNodeSettings(manager.state(), settings),
  });
  manager.onApplied(() => remotes.applied());

  async function reportLost(lost: readonly LostCopy[], reason: string): Promise<void> {
    const to = manager.state().managerNodeId;
    if (to === undefined) return;
    await Promise.all(
      lost.map((copy) => {
        const message = `shard worker ended: ${reason}`;
        const payload = ShardFailedRequest.encode({
          ...copy,
          primaryTerm: 0,
          markAsStale: false,
          message,
          problem: "",
        }).finish();
        return transport.request(to, actions.shardFailed, payload).catch(logProblem(host));
      }),
    );
  }

  const coordinator = createCoordinator({
    transport,
    clock: host.clock,
    random: host.random("coordinator"),
    nodeSettings: settings,
    indexingLimitBytes: () => indexingLimitOf(settings, host.process.stats().heapMaxBytes),
    state: () => manager.state(),
    stateWhen: (reached, timeoutMs) => manager.stateWhen(reached, timeoutMs),
    submit: (context, task, options) => manager.under(context).submit(task, options),
  });

  const instances = new Map<string, PluginInstance>();
  const parts = {
    host,
    localNode,
    settings,
    random: host.random("requests"),
    product,
    remotes,
    endpoint: transport,
    manager,
    coordinator,
    instances,
  };
  const cluster: Cluster = new NodeCluster(parts, ownWork);

  const random = (purpose: string): Random => host.random(purpose);
  for (const { name, start } of plugins) {
    const instance = start?.({ cluster, transport, trace: host.trace, random });
    if (instance !== undefined) instances.set(name, instance);
  }
  manager.onApplied((state) => {
    for (const instance of instances.values()) instance.applied?.(state);
  });
  manager.start();
  host.trace({ kind: "node-started", node: config.name });
  return {
    cluster,
    onJoinRefused: (listener) => void manager.onJoinRefused(listener),
    work: () => [...transport.work(), ...manager.stateWork()],
    get stateListeners() {
      return manager.stateListeners;
    },
    stop: async () => {
      for (const instance of instances.values()) instance.stop?.();
      await shards.stop();
      await manager.stop();
      clusterRouter.close();
      await host.network.close();
      host.store.close();
      host.trace({ kind: "node-stopped", node: config.name });
    },
  };
}

function durationSetting(settings: Settings, key: string, fallbackMs: number): number {
  const text = textSetting(settings, key);
  if (text === undefined) return fallbackMs;
  const parsed = parseDuration(text);
  if (parsed !== undefined) return parsed;
  const reason = `failed to parse setting [${key}] with value [${text}] as a time value: unit is missing or unrecognized`;
  throw new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
}

function logProblem(host: Host): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof OperationError)) throw error;
    host.log("warn", error.message);
  };
}
