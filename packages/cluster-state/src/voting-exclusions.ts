/** Voting config exclusions (`CoordinationMetadata.VotingConfigExclusion`): nodes that must not vote, including nodes that have not joined yet. */
import type { NodeId } from "@orrery/stdx";
import type { ClusterState, CoordinationMetadata, DiscoveryNode } from "./types.ts";

/** An excluded node, by id and name. */
export type VotingExclusion = CoordinationMetadata["votingConfigExclusions"][number];

/** Placeholder for the unknown id or name of an excluded node. */
const absent = "_absent_";

interface ExclusionRequest {
  readonly nodeIds: readonly string[];
  readonly nodeNames: readonly string[];
}

/** Exclusions of a request's ids and names: known nodes that may vote, and nodes that may join later. Known nodes that cannot vote are left out. */
export function resolveVotingExclusions(
  { nodes }: ClusterState,
  { nodeIds, nodeNames }: ExclusionRequest,
): readonly VotingExclusion[] {
  const excluded = (
    node: DiscoveryNode | undefined,
    unknown: VotingExclusion,
  ): readonly VotingExclusion[] => {
    if (node === undefined) return [unknown];
    return mayVote(node) ? [{ nodeId: node.id, nodeName: node.name }] : [];
  };
  const named = (nodeName: string): DiscoveryNode | undefined =>
    [...nodes.values()].find(({ name }) => name === nodeName);
  return [
    ...nodeIds.flatMap((nodeId) =>
      excluded(nodes.get(nodeId as NodeId), { nodeId, nodeName: absent }),
    ),
    ...nodeNames.flatMap((nodeName) => excluded(named(nodeName), { nodeId: absent, nodeName })),
  ];
}

/** Coordination metadata in which exclusions by name have the ids of nodes that have joined since. */
export function withJoinedExclusions(
  coordination: CoordinationMetadata,
  joined: readonly DiscoveryNode[],
): CoordinationMetadata {
  const found = (exclusion: VotingExclusion): DiscoveryNode | undefined =>
    exclusion.nodeId === absent
      ? joined.find((node) => node.name === exclusion.nodeName && mayVote(node))
      : undefined;
  const { votingConfigExclusions: held } = coordination;
  if (!held.some((exclusion) => found(exclusion) !== undefined)) return coordination;
  const votingConfigExclusions = held.map((exclusion) => ({
    ...exclusion,
    nodeId: found(exclusion)?.id ?? exclusion.nodeId,
  }));
  return { ...coordination, votingConfigExclusions };
}

function mayVote({ roles }: DiscoveryNode): boolean {
  return roles.includes("cluster_manager");
}
