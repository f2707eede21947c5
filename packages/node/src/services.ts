/**
 * Services of a node beside its roles: a table, each started once before the node joins. A service answers other
 * nodes, follows each applied state, or both; states reach the services in the order of the table.
 */
import type { ClusterManager } from "@orrery/cluster-manager";
import type { ClusterState, Settings, Task } from "@orrery/cluster-state";
import type { Coordinator } from "@orrery/coordinator";
import type { Host, Transport } from "@orrery/ports";
import { textSetting, type BoundAddresses } from "./config.ts";
import { answerDangling, autoImport } from "./dangling.ts";
import { answerFacts, type FactsDeps } from "./facts.ts";
import type { PluginNode } from "./plugin.ts";
import type { Product } from "./product.ts";
import { answerState } from "./remotes/answer-state.ts";
import type { RemoteClusterClient } from "./remotes/remote-clusters.ts";
import type { ShardPool } from "./shard-pool.ts";
import { answerStoredShards, type Stores } from "./stores.ts";

/** The roles of a node, and the parts that they share. */
export interface NodeRoles {
  readonly host: Host;
  readonly settings: Settings;
  readonly product: Product;
  readonly maxContentLengthBytes: number;
  readonly boundAddresses: BoundAddresses | undefined;
  readonly transportCounts: FactsDeps["transportCounts"];
  readonly httpCounts: FactsDeps["httpCounts"];
  readonly transport: Transport;
  readonly stores: Stores;
  readonly shards: ShardPool;
  readonly manager: ClusterManager;
  readonly coordinator: Coordinator;
  readonly remotes: RemoteClusterClient;
  /** The node as its plugins see it; asserts that they are started. */
  readonly pluginNode: () => PluginNode;
}

export interface NodeService {
  applied?(state: ClusterState, previous: ClusterState): void;
}

type StartService = (node: NodeRoles) => NodeService;

/**
 * Stores before shards: without workers the pool calls `Stores.free` at once, and deletions must be recorded by then.
 */
const services: readonly StartService[] = [
  ({ stores }) => ({ applied: stores.applied }),
  ({ shards }) => ({ applied: shards.apply }),
  ({ coordinator }) => ({ applied: ({ nodes }) => coordinator.nodesChanged(nodes) }),
  facts,
  storedShards,
  dangling,
  stateForRemotes,
  ({ remotes }) => ({ applied: () => remotes.applied() }),
];

export function startServices(node: NodeRoles): void {
  for (const start of services) {
    const { applied } = start(node);
    if (applied !== undefined) node.manager.onApplied(applied);
  }
}

function facts({ manager, coordinator, shards, ...node }: NodeRoles): NodeService {
  answerFacts({
    ...node,
    state: () => manager.state(),
    searchedNodes: () => coordinator.searchedNodes(),
    failOpenCount: () => coordinator.failOpenCount(),
    indexingPressure: () => coordinator.indexingPressure(),
    threadPools: () => shards.threadPools.counts(),
  });
  return {};
}

function storedShards({ host, transport }: NodeRoles): NodeService {
  answerStoredShards(host, transport);
  return {};
}

function dangling({ host, transport, manager, stores, settings }: NodeRoles): NodeService {
  const options = {
    host,
    transport,
    state: () => manager.state(),
    isDeleted: stores.isDeleted,
    submit: (task: Task) => manager.submit(task),
  };
  answerDangling(options);
  const isImported = textSetting(settings, "gateway.auto_import_dangling_indices") === "true";
  return isImported ? { applied: autoImport(options) } : {};
}

function stateForRemotes({ transport, manager }: NodeRoles): NodeService {
  answerState({
    transport,
    state: () => manager.state(),
    managerState: (timeoutMs) => manager.managerState(timeoutMs),
  });
  return {};
}
