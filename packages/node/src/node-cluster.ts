/** The cluster as it is seen through one node: coordinating, the elected cluster manager, and what the nodes tell of themselves. */
import type { ClusterManager } from "@orrery/cluster-manager";
import { withNodeSettings, type DiscoveryNode, type Settings } from "@orrery/cluster-state";
import type { Coordinator } from "@orrery/coordinator";
import type { Endpoint, Host } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import type { Cluster } from "./cluster.ts";
import { textSetting } from "./config.ts";
import { gathered } from "./dangling.ts";
import { askNodes } from "./facts.ts";
import type { PluginInstance } from "./plugin.ts";
import type { Product } from "./product.ts";
import type { RemoteClusters } from "./remotes/remote-clusters.ts";
import { shardStores } from "./shard-stores.ts";

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
  readonly instances: ReadonlyMap<string, PluginInstance>;
}

export function nodeCluster(parts: NodeParts): Cluster {
  const { host, settings, endpoint: transport, manager } = parts;
  return {
    ...parts.coordinator,
    localNode: parts.localNode,
    clock: host.clock,
    random: parts.random,
    log: host.log,
    process: host.process,
    isStrict: textSetting(settings, "orrery.strict") === "true",
    setting: (key) => textSetting(settings, key),
    remotes: parts.remotes,
    withOwnSettings: (state) => withNodeSettings(state, settings),
    product: parts.product,
    started: (plugin) => parts.instances.get(plugin),
    state: () => manager.state(),
    stateWhen: (reached, timeoutMs) => manager.stateWhen(reached, timeoutMs),
    votingConfigurations: () => manager.votingConfigurations(),
    managerState: (timeoutMs) => manager.managerState(timeoutMs),
    submit: (task, options) => manager.submit(task, options),
    reroute: (request) => manager.reroute(request),
    explainAllocation: (request) => manager.explainAllocation(request),
    manage: (operation, request, limits) => manager.manage(operation, request, limits),
    pendingTasks: (timeoutMs) => manager.pendingTasks(timeoutMs),
    decommission: (request) => manager.decommission(request),
    nodesInfo: (nodeIds, metrics) => askNodes(transport, nodeIds, "nodeInfo", { metrics }),
    shardStores: (place) => shardStores(transport, manager.state(), place),
    danglingIndices: async (nodeIds, uuid) => {
      const answer = await askNodes(transport, nodeIds, "danglingIndices", { uuid });
      return { answer, indices: gathered(answer.nodes) };
    },
    nodesStats: (nodeIds, { metrics }) => askNodes(transport, nodeIds, "nodeStats", { metrics }),
  };
}
