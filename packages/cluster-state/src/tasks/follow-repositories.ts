/** Adapts running snapshots and restores to changed nodes and routing; proposed by the elected cluster manager when it would have an effect. */
import { followRouting } from "../snapshots/progress.ts";
import { followRestores } from "../snapshots/restores.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { unchanged, updated } from "../updates.ts";

export interface FollowRepositories {
  readonly kind: "follow-repositories";
}

export function followRepositories(state: ClusterState): Outcome {
  const next = followed(state);
  return next === state ? unchanged : updated(next);
}

/**
 * The state with running snapshots and restores adapted to its nodes and routing; the same state when they need no
 * change.
 */
export function followed(state: ClusterState): ClusterState {
  return followRestores(followRouting(state));
}
