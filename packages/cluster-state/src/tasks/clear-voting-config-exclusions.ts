/** Removes all voting config exclusions. */
import type { ClusterState, Outcome } from "../types.ts";
import { unchanged, updated } from "../updates.ts";

export interface ClearVotingConfigExclusions {
  readonly kind: "clear-voting-config-exclusions";
}

/** Removes all exclusions from the voting configuration. Unchanged when there are none. */
export function clearVotingConfigExclusions(state: ClusterState): Outcome {
  const { coordination } = state.metadata;
  if (coordination.votingConfigExclusions.length === 0) return unchanged;
  return updated({
    ...state,
    metadata: { ...state.metadata, coordination: { ...coordination, votingConfigExclusions: [] } },
  });
}
