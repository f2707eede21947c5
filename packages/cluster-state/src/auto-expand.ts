/** Replica counts that follow the number of nodes (`index.auto_expand_replicas`, `AutoExpandReplicas`): one copy for each eligible data node, within the range of the setting. */
import { greatest } from "@orrery/stdx";
import { withSettings } from "./index-metadata.ts";
import { filtersOf, matchesFilters, type FilterKind } from "./node-filters.ts";
import { withReplicasForAllocator } from "./routing-rows.ts";
import { currentClusterSettings, indexSetting } from "./settings/registry.ts";
import type {
  ClusterState,
  DiscoveryNode,
  IndexMetadata,
  IndexRoutingTable,
  Settings,
} from "./types.ts";
import { withIndex, withRow } from "./updates.ts";

/**
 * The state with adapted replica counts; the same state when none changes. `nowMs` is the time in the unassigned info
 * of added replicas; without it, the latest time in the unassigned info of the index's copies. Assigned copies that
 * become surplus stay in the routing table: the allocator removes them in the same log entry.
 */
export function withAutoExpandedReplicas(state: ClusterState, nowMs?: number): ClusterState {
  let next = state;
  for (const metadata of state.metadata.indices.values()) {
    const setting = metadata.settings["index.auto_expand_replicas"];
    if (setting === undefined || setting === "false" || metadata.state === "close") continue;
    const replicas = wantedReplicas(state, metadata);
    if (replicas === undefined || replicas === metadata.numberOfReplicas) continue;
    next = withNumberOfReplicas(next, metadata, replicas, nowMs);
  }
  return next;
}

function wantedReplicas(state: ClusterState, metadata: IndexMetadata): number | undefined {
  const range = indexSetting(metadata, "index.auto_expand_replicas").split("-");
  const nodes = [...state.nodes.values()].filter((node) => mayHold(state, metadata, node)).length;
  const least = Number(range[0]);
  const most = range[1] === "all" ? Number.POSITIVE_INFINITY : Number(range[1]);
  const wanted = Math.min(Math.max(nodes - 1, least), Math.max(most, least));
  return nodes === 0 || (wanted > most && wanted > least) ? undefined : wanted;
}

function mayHold(state: ClusterState, metadata: IndexMetadata, node: DiscoveryNode): boolean {
  if (!node.roles.includes("data")) return false;
  return (
    passes(currentClusterSettings(state), "cluster.routing.allocation", node) &&
    passes(metadata.settings, "index.routing.allocation", node)
  );
}

function passes(settings: Settings, prefix: string, node: DiscoveryNode): boolean {
  const matches = (kind: FilterKind): boolean | undefined => {
    const filters = filtersOf(settings, `${prefix}.${kind}.`);
    return filters === undefined ? undefined : matchesFilters(filters, node, kind);
  };
  return (
    matches("require") !== false && matches("include") !== false && matches("exclude") !== true
  );
}

/**
 * The state with another number of replicas in metadata and routing row. The index's version is incremented; its
 * settings version is the caller's.
 */
export function withNumberOfReplicas(
  state: ClusterState,
  metadata: IndexMetadata,
  replicas: number,
  nowMs?: number,
): ClusterState {
  const settings = { ...metadata.settings, "index.number_of_replicas": String(replicas) };
  const version = metadata.version + 1;
  const next = withIndex(state, withSettings({ ...metadata, version }, settings));
  const row = state.routingTable.get(metadata.name);
  if (row === undefined) return next;
  return withRow(next, withReplicasForAllocator(row, replicas, nowMs ?? lastChangeMs(row)));
}

function lastChangeMs({ shards }: IndexRoutingTable): number {
  const times = shards.flat().map((copy) => copy.unassignedInfo?.atMs ?? 0);
  return Math.max(0, greatest(times));
}
