/** Rule for keep-alives of search contexts: the default may not exceed the maximum (`SearchService.validateKeepAlives`). */
import { formatDuration, type Problem } from "@orrery/stdx";
import type { ClusterState } from "../types.ts";
import { clusterSetting } from "./registry.ts";

const LIMITS = [
  ["search.max_keep_alive", "max keep alive"],
  ["point_in_time.max_keep_alive", "max keep alive for PIT"],
] as const;

/** The problem of keep-alive settings that contradict each other; undefined when there is none. */
export function keepAliveProblem(state: ClusterState): Problem | undefined {
  const defaultMs = clusterSetting(state, "search.default_keep_alive");
  for (const [key, called] of LIMITS) {
    const maxMs = clusterSetting(state, key);
    if (defaultMs <= maxMs) continue;
    const reason = `Default keep alive setting for request [search.default_keep_alive] should be smaller than ${called} [${key}], was (${formatDuration(defaultMs)} > ${formatDuration(maxMs)})`;
    return { type: "illegal_argument_exception", reason, status: 400 };
  }
  return undefined;
}
