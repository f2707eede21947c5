/**
 * What the outcome of a check leads to, for the checks of members and those of the elected cluster manager alike: so many failures in a
 * row, or one answer that says so, and the node is not relied on any more.
 */
import { assert } from "@orrery/stdx";

export type CheckOutcome =
  | { readonly kind: "answered" }
  /** No answer, or one that may be another next time. */
  | { readonly kind: "failed" }
  /** An answer that settles it. */
  | { readonly kind: "refused" };

export type CheckVerdict =
  | { readonly kind: "check-again"; readonly failures: number }
  | { readonly kind: "lost" };

/** `failures`: those in a row before this check. `retryCount`: how many end it. */
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
