/** Adds voting config exclusions (`TransportAddVotingConfigExclusionsAction`): nodes that must leave the voting configuration. */
import type { Problem } from "@orrery/stdx";
import { clusterSetting, withNodeSettings } from "../settings/registry.ts";
import type { ClusterState, Outcome, Settings } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";
import type { VotingExclusion } from "../voting-exclusions.ts";

export interface AddVotingConfigExclusions {
  readonly kind: "add-voting-config-exclusions";
  /** Exclusions from `resolveVotingExclusions`; unknown ids or names are `_absent_`. */
  readonly exclusions: readonly VotingExclusion[];
  /** Node settings of the elected cluster manager, which apply where the cluster settings have no value. */
  readonly nodeSettings?: Settings;
}

/**
 * Adds exclusions from the voting configuration. Unchanged when all of them exist; rejected beyond
 * `cluster.max_voting_config_exclusions`.
 */
export function addVotingConfigExclusions(
  state: ClusterState,
  task: AddVotingConfigExclusions,
): Outcome {
  const { coordination } = state.metadata;
  const existing = coordination.votingConfigExclusions;
  const added = task.exclusions.filter(
    ({ nodeId, nodeName }, i) =>
      ![...existing, ...task.exclusions.slice(0, i)].some(
        (held) => held.nodeId === nodeId && held.nodeName === nodeName,
      ),
  );
  if (added.length === 0) return unchanged;
  const seen = withNodeSettings(state, task.nodeSettings ?? {});
  const error = tooManyExclusions(seen, added.length);
  if (error !== undefined) return rejected(error);
  const votingConfigExclusions = [...existing, ...added];
  return updated({
    ...state,
    metadata: { ...state.metadata, coordination: { ...coordination, votingConfigExclusions } },
  });
}

function tooManyExclusions(state: ClusterState, added: number): Problem | undefined {
  const most = clusterSetting(state, "cluster.max_voting_config_exclusions");
  const existing = state.metadata.coordination.votingConfigExclusions.length;
  if (existing + added <= most) return undefined;
  return {
    type: "illegal_argument_exception",
    reason: `add voting config exclusions request for [] would add [${added}] exclusions to the existing [${existing}] which would exceed the maximum of [${most}] set by [cluster.max_voting_config_exclusions]`,
    status: 400,
  };
}
