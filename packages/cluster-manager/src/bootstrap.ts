/**
 * Bootstrap of a new cluster (`ClusterBootstrapService`): only the first node of
 * `cluster.initial_cluster_manager_nodes` creates it, as a configuration of one voter, once it has discovered a
 * majority of the list. The others join that cluster.
 *
 * One fixed founder, where the product lets any listed node set the initial configuration: two founders would make two
 * clusters with different uuids, and no vote could prevent it, because before the first configuration there is no
 * quorum to ask. The majority keeps a founder that lost its disk from founding a second cluster unseen.
 */
import { initialState, type ClusterState, type DiscoveryNode } from "@orrery/cluster-state";
import type { Peer } from "./discovery-step.ts";
import type { ManagerSettings } from "./settings.ts";
import { isEligible } from "./voters.ts";

/** Names or addresses of the initial voters; empty when this node may only join an existing cluster. */
export function initialManagerNames(
  settings: ManagerSettings,
  localNode: DiscoveryNode,
): readonly string[] {
  if (settings.text("discovery.type") === "single-node") return [localNode.name];
  const names = settings.list("cluster.initial_cluster_manager_nodes");
  if (names.length > 0) return names;
  const olderNames = settings.list("cluster.initial_master_nodes");
  if (olderNames.length > 0) return olderNames;
  // No discovery setting at all: the node is a cluster of its own (the product's "unconfigured bootstrap").
  return settings.list("discovery.seed_hosts").length === 0 ? [localNode.name] : [];
}

/** Whether the local node may found the cluster, by the names and by the peers that discovery has found so far. */
export function mayBootstrap(
  names: readonly string[],
  localNode: DiscoveryNode,
  peers: Iterable<Peer>,
): boolean {
  const [first] = names;
  if (first === undefined || !isCalled(localNode, first) || !isEligible(localNode)) return false;
  const found = [...peers];
  // A peer is in a cluster already: the local node lost its disk, and joins that cluster instead.
  if (found.some(({ hasCluster }) => hasCluster)) return false;
  const eligible = [localNode, ...found.map(({ node }) => node).filter(isEligible)];
  const discovered = names.filter((name) => eligible.some((node) => isCalled(node, name)));
  return discovered.length * 2 > names.length;
}

function isCalled(node: DiscoveryNode, name: string): boolean {
  return node.name === name || node.transportAddress === name || node.hostName === name;
}

/** Raft id of the founder. Ids are given out in ascending order and never reused. */
export const firstRaftId = 1;

/** The initial state: the founder as the only voter, and no member. Its first term adds it with `become-cluster-manager`. */
export function firstState(clusterName: string, localNode: DiscoveryNode): ClusterState {
  const empty = initialState(clusterName);
  const coordination = {
    ...empty.metadata.coordination,
    votingConfiguration: [localNode.id],
    raftIds: new Map([[localNode.id, firstRaftId]]),
    nextRaftId: firstRaftId + 1,
  };
  return { ...empty, metadata: { ...empty.metadata, coordination } };
}
