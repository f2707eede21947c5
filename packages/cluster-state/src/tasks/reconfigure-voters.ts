/** Sets the voting configuration, which Raft's configuration then follows (INV-COORD-5), and computes the desired one (`Reconfigurator`). */
import { compareText, type NodeId, type Problem } from "@orrery/stdx";
import { clusterSetting } from "../settings/registry.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";

export interface ReconfigureVoters {
  readonly kind: "reconfigure-voters";
  readonly voters: readonly NodeId[];
}

/**
 * Sets the voting configuration. Rejected for an empty one, and for a node without a Raft id, since Raft could not
 * follow.
 */
export function reconfigureVoters(state: ClusterState, task: ReconfigureVoters): Outcome {
  const { coordination } = state.metadata;
  const votingConfiguration = [...new Set(task.voters)].toSorted(compareText);
  if (votingConfiguration.length === 0) return rejected(invalid("no voter is left"));
  const stranger = votingConfiguration.find((id) => !coordination.raftIds.has(id));
  if (stranger !== undefined) return rejected(invalid(`node [${stranger}] has no raft id`));
  const current = coordination.votingConfiguration.toSorted(compareText);
  if (current.join() === votingConfiguration.join()) return unchanged;
  return updated({
    ...state,
    metadata: { ...state.metadata, coordination: { ...coordination, votingConfiguration } },
  });
}

function invalid(reason: string): Problem {
  return { type: "illegal_argument_exception", reason, status: 400 };
}

/**
 * The desired voters (`Reconfigurator`): an odd number of live nodes that are not excluded, with the elected one first,
 * then current voters. An odd number, because an even one tolerates no more failures. With auto-shrink the configuration
 * keeps at least three voters once it has them, dead ones included; without, it never shrinks except by exclusions. The
 * current configuration is returned when a majority of the chosen voters would not be live.
 */
export function desiredVoters(
  state: ClusterState,
  live: ReadonlySet<NodeId>,
  elected: NodeId,
): readonly NodeId[] {
  const { votingConfiguration, votingConfigExclusions } = state.metadata.coordination;
  const excluded = new Set(votingConfigExclusions.map(({ nodeId }) => nodeId));
  const isIn = (id: NodeId): boolean => votingConfiguration.includes(id);
  const liveVoters = [...state.nodes.values()]
    .filter(({ id, roles }) => roles.includes("cluster_manager") && live.has(id))
    .map(({ id }) => id)
    .filter((id) => !excluded.has(id));
  const held = votingConfiguration.filter((id) => !excluded.has(id));
  const most = liveVoters.length % 2 === 0 ? liveVoters.length - 1 : liveVoters.length;
  const least = clusterSetting(state, "cluster.auto_shrink_voting_configuration")
    ? held.length < 3
      ? 1
      : 3
    : held.length;
  const candidates = [...new Set([...liveVoters, ...held])];
  const rank = (id: NodeId): number =>
    (id === elected ? 0 : 4) + (liveVoters.includes(id) ? 0 : 2) + (isIn(id) ? 0 : 1);
  const ordered = candidates.toSorted((a, b) => rank(a) - rank(b) || compareText(a, b));
  const chosen = ordered.slice(0, Math.max(most, least));
  const liveChosen = chosen.filter((id) => liveVoters.includes(id)).length;
  return liveChosen * 2 > chosen.length ? chosen.toSorted(compareText) : votingConfiguration;
}
