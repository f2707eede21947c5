/** Names nodes that are to leave the voting configuration. */
import type { NodeId, Problem } from "@orrery/stdx";
import { clusterSetting } from "../settings/registry.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";

export interface AddVotingConfigExclusions {
  readonly kind: "add-voting-config-exclusions";
  /** `resolveVotingExclusions` makes them; unknown parts are `_absent_`. */
  readonly exclusions: readonly { readonly nodeId: string; readonly nodeName: string }[];
}

export function addVotingConfigExclusions(
  state: ClusterState,
  task: AddVotingConfigExclusions,
): Outcome {
  const { coordination } = state.metadata;
  const existing = coordination.votingConfigExclusions;
  const added = task.exclusions.filter(
    ({ nodeId, nodeName }) =>
      !existing.some((held) => held.nodeId === nodeId && held.nodeName === nodeName),
  );
  if (added.length === 0) return unchanged;
  const error = tooManyExclusions(state, added.length);
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

export interface ExclusionRequest {
  readonly nodeIds?: readonly string[];
  readonly nodeNames?: readonly string[];
}

const ABSENT = "_absent_";

/** What a request's ids or names stand for: nodes of the state, or names kept for nodes that may come. */
export function resolveVotingExclusions(
  state: ClusterState,
  request: ExclusionRequest,
): AddVotingConfigExclusions["exclusions"] {
  const nodes = [...state.nodes.values()].filter(({ roles }) => roles.includes("cluster_manager"));
  const byId = (request.nodeIds ?? []).map((nodeId) => {
    const node = state.nodes.get(nodeId as NodeId);
    return { nodeId, nodeName: node?.name ?? ABSENT };
  });
  const byName = (request.nodeNames ?? []).map((nodeName) => {
    const node = nodes.find(({ name }) => name === nodeName);
    return { nodeId: node?.id ?? ABSENT, nodeName };
  });
  return [...byId, ...byName];
}
