/** Deletes the weights. The version keeps growing, so that a stale conditional change does not match later. */
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, updated } from "../updates.ts";
import { weightedRoutingOf, withWeightedRouting } from "../weighted-routing.ts";
import { versionProblem } from "./put-weighted-routing.ts";

export interface DeleteWeightedRouting {
  readonly kind: "delete-weighted-routing";
  readonly version: number;
  /** The attribute that the request names; rejected unless the weights are of this attribute. */
  readonly attribute?: string;
}

/**
 * Deletes the weights of weighted routing. Rejected when the request names another version or attribute than the
 * weights have, and when weights were never set.
 */
export function deleteWeightedRouting(state: ClusterState, task: DeleteWeightedRouting): Outcome {
  const error = versionProblem(state, task.version);
  if (error !== undefined) return rejected(error);
  const held = weightedRoutingOf(state);
  const isOther = task.attribute !== undefined && task.attribute !== held?.attribute;
  if (held === undefined || isOther) {
    return rejected({
      type: "resource_not_found_exception",
      reason: `weighted routing metadata does not have weights set for awareness attribute ${task.attribute ?? "null"}`,
      status: 404,
    });
  }
  return updated(
    withWeightedRouting(state, { attribute: "", weights: new Map(), version: held.version + 1 }),
  );
}
