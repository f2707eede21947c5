/** Advances the status of a decommission (`DecommissionAttributeMetadata.validateNewStatus`). A terminal status removes the voting config exclusions in the same version. */
import { decommissionOf, withDecommission, type DecommissionStatus } from "../decommission.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";
import { clearVotingConfigExclusions } from "./clear-voting-config-exclusions.ts";

export interface UpdateDecommissionStatus {
  readonly kind: "update-decommission-status";
  /** Request that began the decommission; without effect when that was replaced or recommissioned. */
  readonly requestId: string;
  readonly status: DecommissionStatus;
}

const allowedBefore: Readonly<Record<DecommissionStatus, readonly DecommissionStatus[]>> = {
  init: [],
  draining: ["init"],
  in_progress: ["init", "draining"],
  successful: ["in_progress"],
  failed: ["init", "draining", "in_progress", "successful"],
};

/**
 * Advances the status of a decommission. Unchanged when another request's decommission is registered, or when the
 * status is the same. Rejected unless the status advances from init over draining (which may be left out) and
 * in_progress to successful, or becomes failed.
 */
export function updateDecommissionStatus(
  state: ClusterState,
  { requestId, status }: UpdateDecommissionStatus,
): Outcome {
  const held = decommissionOf(state);
  if (held === undefined || held.requestId !== requestId || held.status === status) {
    return unchanged;
  }
  const allowed = allowedBefore[status];
  if (!allowed.includes(held.status)) {
    const expected = allowed.join(", ");
    const reason = `can't move decommission status to [${status}]. current status: [${held.status}] (expected [${expected}])`;
    return rejected({ type: "illegal_state_exception", reason, status: 500 });
  }
  const moved = withDecommission(state, { ...held, status });
  if (status !== "successful" && status !== "failed") return updated(moved);
  const cleared = clearVotingConfigExclusions(moved);
  return cleared.kind === "updated" ? cleared : updated(moved);
}
