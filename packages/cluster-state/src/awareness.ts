/** Awareness attributes, and the values that count although no node has them. Source: `AwarenessAllocationDecider`. */
import { clusterSetting, clusterSettingGroup } from "./settings/registry.ts";
import type { ClusterState } from "./types.ts";

export function awarenessAttributes(state: ClusterState): readonly string[] {
  return clusterSetting(state, "cluster.routing.allocation.awareness.attributes");
}

/** `cluster.routing.allocation.awareness.force.<attribute>.values`, by attribute. */
export function forcedAwareness(state: ClusterState): ReadonlyMap<string, readonly string[]> {
  const group = clusterSettingGroup(state, "cluster.routing.allocation.awareness.force.");
  const suffix = ".values";
  return new Map(
    Object.entries(group).flatMap(([key, raw]) => {
      if (!key.endsWith(suffix)) return [];
      const all = typeof raw === "string" ? raw.split(",").map((value) => value.trim()) : raw;
      const values = all.filter((value) => value !== "");
      return values.length === 0 ? [] : [[key.slice(0, -suffix.length), values] as const];
    }),
  );
}
