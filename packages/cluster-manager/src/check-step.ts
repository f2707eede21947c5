/**
 * Verdict on one health check, shared by the checks of members and those of the elected cluster manager
 * (`FollowersChecker`, `LeaderChecker`): `retry_count` failures in a row, or one refusal, and the peer counts as lost.
 */
import { assert } from "@orrery/stdx";

/** Outcome of one request of a check. */
export type CheckOutcome =
  | { readonly kind: "answered" }
  /** A timeout, a lost connection, or an error that a later check may not meet. */
  | { readonly kind: "failed" }
  /** An answer that rules the peer out at once: it is another process, unhealthy, or rejects the relation. */
  | { readonly kind: "refused" };

/** Consequence of a check: the count of failures in a row to go on with, or the loss of the peer. */
export type CheckVerdict =
  | { readonly kind: "check-again"; readonly failures: number }
  | { readonly kind: "lost" };

/** The verdict after a check that followed `failures` failures in a row; `retryCount` failures in a row are a loss. */
export function checkStep(
  failures: number,
  outcome: CheckOutcome,
  retryCount: number,
): CheckVerdict {
  assert(failures >= 0, "failures are counted from 0");
  if (outcome.kind === "answered") return { kind: "check-again", failures: 0 };
  const isLost = outcome.kind === "refused" || failures + 1 >= retryCount;
  return isLost ? { kind: "lost" } : { kind: "check-again", failures: failures + 1 };
}
