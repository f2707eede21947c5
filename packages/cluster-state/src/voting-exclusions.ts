/** Nodes that are not to vote, also such as are not there yet. Source: `CoordinationMetadata.VotingConfigExclusion`. */
import type { CoordinationMetadata, DiscoveryNode } from "./types.ts";

export type VotingExclusion = CoordinationMetadata["votingConfigExclusions"][number];

/** What is not known of an excluded node: its id, or its name. */
export const absentNode = "_absent_";

/** A name that was excluded before its node was there is that node's, once it joins. */
export function withJoinedExclusions(
  coordination: CoordinationMetadata,
  joined: readonly DiscoveryNode[],
): CoordinationMetadata {
  const found = (exclusion: VotingExclusion): DiscoveryNode | undefined =>
    exclusion.nodeId === absentNode
      ? joined.find(
          ({ name, roles }) => name === exclusion.nodeName && roles.includes("cluster_manager"),
        )
      : undefined;
  const { votingConfigExclusions: held } = coordination;
  if (!held.some((exclusion) => found(exclusion) !== undefined)) return coordination;
  const votingConfigExclusions = held.map((exclusion) => ({
    ...exclusion,
    nodeId: found(exclusion)?.id ?? exclusion.nodeId,
  }));
  return { ...coordination, votingConfigExclusions };
}
