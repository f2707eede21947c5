/** Recommissions, in any status of the decommission: removes it, and all voting config exclusions. */
import { decommissionOf, withDecommission } from "../decommission.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { unchanged, updated } from "../updates.ts";
import { clearVotingConfigExclusions } from "./clear-voting-config-exclusions.ts";

export interface DeleteDecommissionState {
  readonly kind: "delete-decommission-state";
}

export function deleteDecommissionState(state: ClusterState): Outcome {
  const cleared = clearVotingConfigExclusions(state);
  const next = cleared.kind === "updated" ? cleared.state : state;
  if (decommissionOf(state) === undefined) return next === state ? unchanged : updated(next);
  return updated(withDecommission(next, undefined));
}
