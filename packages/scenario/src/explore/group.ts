/** Findings that are likely one: by who judged, and by what happened last on nodes of which role. */
import type { Finding } from "../verdict.ts";
import { templateOf } from "./behaviour.ts";

/** Before it is shrunk: the same judge said the same of other names and numbers. */
export function complaintOf({ invariant = "", checker = "", says }: Finding): string {
  return [checker, invariant, templateOf(says.split("\n")[0] ?? "")].join(" | ");
}

/** Of a finding that was shrunk; `last`: the last three pieces of news of its run. */
export function groupOf(
  { invariant = "", checker = "run" }: Finding,
  last: readonly string[],
): string {
  return [checker, invariant, ...last].filter((part) => part !== "").join(" | ");
}
