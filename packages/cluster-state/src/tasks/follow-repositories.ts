/** Running snapshots and restores follow nodes and routing: the elected cluster manager asks for it when it would change something. */
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

export function followed(state: ClusterState): ClusterState {
  return followRestores(followRouting(state));
}
