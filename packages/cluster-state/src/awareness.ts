/** Awareness attributes and forced awareness values, which count although no node has them (`AwarenessAllocationDecider`). */
import { greatest } from "@orrery/stdx";
import { clusterSetting, clusterSettingGroup, indexSetting } from "./settings/registry.ts";
import type { ClusterState, Settings, SettingsChange } from "./types.ts";

/** The awareness attributes in force (`cluster.routing.allocation.awareness.attributes`). */
export function awarenessAttributes(state: ClusterState): readonly string[] {
  return clusterSetting(state, "cluster.routing.allocation.awareness.attributes");
}

/**
 * The forced values of each attribute (`cluster.routing.allocation.awareness.force.<attribute>.values`), by attribute.
 */
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

/**
 * The violation of `cluster.routing.allocation.awareness.balance` by an index's settings: the number of copies must be
 * a multiple of the number of forced values (`AwarenessReplicaBalance`). Undefined without a violation. The settings'
 * values must be valid.
 */
export function replicaBalanceComplaint(
  state: ClusterState,
  settings: SettingsChange,
): string | undefined {
  const values = valuesToFill(state);
  if (values === 1) return undefined;
  const own: Settings = Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
  const expand = String(own["index.auto_expand_replicas"] ?? "false");
  const most = expand.split("-")[1];
  if (most !== undefined) {
    if (most === "all" || (Number(most) + 1) % values === 0) return undefined;
    return `expected max cap on auto expand to be a multiple of total awareness attributes [${values}]`;
  }
  const replicas = indexSetting({ settings: own }, "index.number_of_replicas");
  if ((replicas + 1) % values === 0) return undefined;
  return `expected total copies needs to be a multiple of total awareness attributes [${values}]`;
}

/** Number of values of the attribute with the most forced values; 1 when copies need not be balanced. */
function valuesToFill(state: ClusterState): number {
  if (!clusterSetting(state, "cluster.routing.allocation.awareness.balance")) return 1;
  const forced = forcedAwareness(state);
  return Math.max(
    1,
    greatest(awarenessAttributes(state).map((name) => forced.get(name)?.length ?? 1)),
  );
}
