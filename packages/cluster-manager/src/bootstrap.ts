/**
 * When a node makes a cluster out of nothing (`ClusterBootstrapService`): only the first node of
 * `cluster.initial_cluster_manager_nodes`, once it has found a majority of that list. The others join it.
 */
import { initialState, type ClusterState, type DiscoveryNode } from "@orrery/cluster-state";
import type { Peer } from "./discovery-step.ts";
import type { ManagerSettings } from "./settings.ts";
import { isEligible } from "./voters.ts";

/** Names (or addresses) of the first voters; empty: this node waits to be let into a cluster that exists. */
export function initialManagerNames(
  settings: ManagerSettings,
  localNode: DiscoveryNode,
): readonly string[] {
  if (settings.text("discovery.type") === "single-node") return [localNode.name];
  const names = settings.list("cluster.initial_cluster_manager_nodes");
  if (names.length > 0) return names;
  const olderNames = settings.list("cluster.initial_master_nodes");
  if (olderNames.length > 0) return olderNames;
  // Nothing says that there are other nodes at all.
  return settings.list("discovery.seed_hosts").length === 0 ? [localNode.name] : [];
}

export function mayBootstrap(
  names: readonly string[],
  localNode: DiscoveryNode,
  peers: Iterable<Peer>,
): boolean {
  const [first] = names;
  if (first === undefined || !isCalled(localNode, first) || !isEligible(localNode)) return false;
  const found = [...peers];
  // Somebody has a cluster already: this node may have lost its disk, and is to join.
  if (found.some(({ hasCluster }) => hasCluster)) return false;
  const eligible = [localNode, ...found.map(({ node }) => node).filter(isEligible)];
  const discovered = names.filter((name) => eligible.some((node) => isCalled(node, name)));
  return discovered.length * 2 > names.length;
}

function isCalled(node: DiscoveryNode, name: string): boolean {
  return node.name === name || node.transportAddress === name || node.hostName === name;
}

export const firstRaftId = 1;

/** The state before anything happened: one voter, nobody a member yet. */
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
