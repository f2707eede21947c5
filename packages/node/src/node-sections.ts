/** Sections of `_nodes/stats` and `_nodes`: the core's names in the product's order, followed by those of plugins. */
import { assert, setKey, type JsonObject } from "@orrery/stdx";
import type { PluginNode } from "./plugin.ts";

/** The core's sections of `_nodes/stats`. */
export const nodeStatsMetrics = [
  "indices",
  "os",
  "process",
  "jvm",
  "thread_pool",
  "fs",
  "transport",
  "http",
  "breaker",
  "script",
  "discovery",
  "ingest",
  "adaptive_selection",
  "script_cache",
  "indexing_pressure",
  "shard_indexing_pressure",
  "search_backpressure",
  "cluster_manager_throttling",
  "weighted_routing",
  "task_cancellation",
  "search_pipeline",
  "resource_usage_stats",
  "segment_replication_backpressure",
  "repositories",
  "admission_control",
  "caches",
  "remote_store",
] as const;

/** The core's sections of `_nodes`. */
export const nodeInfoMetrics = [
  "settings",
  "os",
  "process",
  "jvm",
  "thread_pool",
  "transport",
  "http",
  "plugins",
  "ingest",
  "aggregations",
  "indices",
  "search_pipelines",
] as const;

/** A section of a plugin: its metric in paths, and its member in a node's answer. */
export interface NodeSection {
  readonly name: string;
  /** Read on each node that is asked. A rejection is that node's failure. */
  readonly read: (node: PluginNode) => JsonObject | Promise<JsonObject>;
}

/** The sections of plugins by name, in the order of the plugins. */
export type NodeSections = ReadonlyMap<string, NodeSection>;

/**
 * Composes the sections of plugins. Asserts that no name is that of a section of the core, of a member of every answer,
 * or of another section.
 */
export function composeSections(
  core: readonly string[],
  added: readonly NodeSection[],
): NodeSections {
  const taken = new Set([...core, ...membersOfAll]);
  for (const { name } of added) {
    assert(!taken.has(name), `two sections of nodes have the name [${name}]`);
    taken.add(name);
  }
  return new Map(added.map((section) => [section.name, section]));
}

const membersOfAll: readonly string[] = [
  ...["timestamp", "name", "transport_address", "host", "ip", "roles", "attributes", "version"],
  ...["build_type", "build_hash", "total_indexing_buffer_in_bytes", "modules", "breakers"],
  ...["native_memory", "_all"],
];

/** Reads the sections that the metrics name; an empty list of metrics, or `_all`, names all of them. */
export async function readSections(
  sections: NodeSections,
  metrics: readonly string[],
  node: PluginNode,
): Promise<JsonObject> {
  const wanted = [...sections.values()].filter(
    ({ name }) => metrics.length === 0 || metrics.includes(name) || metrics.includes("_all"),
  );
  const bodies = await Promise.all(wanted.map(async ({ read }) => read(node)));
  const body: Record<string, JsonObject> = {};
  for (const [i, { name }] of wanted.entries()) setKey(body, name, bodies[i] ?? {});
  return body;
}
