/** Nodes that are not to vote, also such as are not there yet. Source: `CoordinationMetadata.VotingConfigExclusion`. */
import type { NodeId } from "@orrery/stdx";
import type { ClusterState, CoordinationMetadata, DiscoveryNode } from "./types.ts";

export type VotingExclusion = CoordinationMetadata["votingConfigExclusions"][number];

/** What is not known of an excluded node: its id, or its name. */
const absent = "_absent_";

interface ExclusionRequest {
  readonly nodeIds: readonly string[];
  readonly nodeNames: readonly string[];
}

/** What a request's ids or names stand for: nodes that may vote, and such as may come. */
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

/** A name that was excluded before its node was there is that node's, once it joins. */
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
