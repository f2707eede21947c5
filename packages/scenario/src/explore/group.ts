/**
 * Grouping of findings that probably have the same cause: by checker, and by the last events on nodes of which roles.
 */
import type { Finding } from "../verdict.ts";
import { templateOf } from "./behaviour.ts";

/** Key of a finding before it is shrunk: checker and sentence, without names and numbers. */
export function complaintOf({ invariant = "", checker = "", says }: Finding): string {
  return [checker, invariant, templateOf(says.split("\n")[0] ?? "")].join(" | ");
}

/** Key of a shrunk finding; `last`: the last three events except traffic of its run. */
export function groupOf(
  { invariant = "", checker = "run" }: Finding,
  last: readonly string[],
): string {
  return [checker, invariant, ...last].filter((part) => part !== "").join(" | ");
}
