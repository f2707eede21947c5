/**
 * Grouping of findings that probably have the same cause: by checker, and by the last events on nodes of which roles.
 */
import type { Finding } from "../verdict.ts";
import { templateOf } from "./behaviour.ts";

/** Key by which findings are grouped before shrinking: checker, invariant and sentence, without names and numbers. */
export function complaintOf({ invariant = "", checker = "", says }: Finding): string {
  return [checker, invariant, templateOf(says.split("\n")[0] ?? "")].join(" | ");
}

/** Key by which shrunk findings are grouped. `last`: the last three events of the run that are no traffic. */
export function groupOf(
  { invariant = "", checker = "run" }: Finding,
  last: readonly string[],
): string {
  return [checker, invariant, ...last].filter((part) => part !== "").join(" | ");
}
