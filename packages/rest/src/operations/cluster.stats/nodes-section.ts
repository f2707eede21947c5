/** Statistics of all nodes of the cluster. Source: `ClusterStatsNodes`. */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { NodeInfoFacts, NodeStatsFacts } from "@orrery/node";
import { compareText, greatest, least, lookup, setKey } from "@orrery/stdx";
import type { Printable, PrintableObject } from "../../json/printable.ts";
import { pluginInfo } from "../../nodes/info-sections.ts";
import { percentOf, processNumber } from "../../nodes/stats-process.ts";
import { buildType, bundledRuntime, version } from "../../product.ts";

/** Metrics of the section `nodes`, in the order of the product's output. */
export const nodeStatsMetrics = [
  "os",
  "process",
  "jvm",
  "fs",
  "plugins",
  "network_types",
  "discovery_types",
  "packaging_types",
  "ingest",
] as const;

/** A metric of the section `nodes`. */
export type NodeStatsMetric = (typeof nodeStatsMetrics)[number];

/** A node with its information and statistics. */
export interface NodeFacts {
  readonly node: DiscoveryNode;
  readonly info: NodeInfoFacts;
  readonly stats: NodeStatsFacts;
}

/** The section `nodes` of `_cluster/stats`, summed over the given nodes. */
export function nodesSection(
  nodes: readonly NodeFacts[],
  wanted: ReadonlySet<NodeStatsMetric>,
  isStrict: boolean,
): PrintableObject {
  const has = (metric: NodeStatsMetric): boolean => wanted.has(metric);
  return {
    count: roleCounts(nodes),
    versions: nodes.length === 0 ? [] : [version],
    os: has("os") ? osSection(nodes) : undefined,
    process: has("process") ? processSection(nodes) : undefined,
    jvm: has("jvm") ? runtimeSection(nodes, isStrict) : undefined,
    fs: has("fs") ? fsSection(nodes) : undefined,
    plugins: has("plugins") ? plugins(nodes) : undefined,
    network_types: has("network_types")
      ? {
          transport_types: tally(nodes, ({ info }) =>
            textOf(info.settings["transport.type"], "netty4"),
          ),
          http_types: tally(nodes, ({ info }) => textOf(info.settings["http.type"], "netty4")),
        }
      : undefined,
    discovery_types: has("discovery_types")
      ? tally(nodes, ({ info }) => textOf(info.settings["discovery.type"], "zen"))
      : undefined,
    packaging_types: has("packaging_types") ? counted(nodes, "type", () => buildType) : undefined,
    ingest: has("ingest") ? { number_of_pipelines: 0, processor_stats: {} } : undefined,
  };
}

function roleCounts(nodes: readonly NodeFacts[]): PrintableObject {
  const withRole = (role: string): number =>
    nodes.filter(({ node }) => node.roles.some((own) => own === role)).length;
  return {
    total: nodes.length,
    cluster_manager: withRole("cluster_manager"),
    coordinating_only: nodes.filter(({ node }) => node.roles.length === 0).length,
    data: withRole("data"),
    ingest: withRole("ingest"),
    master: withRole("cluster_manager"),
    remote_cluster_client: withRole("remote_cluster_client"),
    search: withRole("search"),
    warm: withRole("warm"),
  };
}

function sum(nodes: readonly NodeFacts[], value: (facts: NodeFacts) => number): number {
  return nodes.reduce((total, facts) => total + value(facts), 0);
}

function ofProcess(name: string): (facts: NodeFacts) => number {
  return ({ stats }) => processNumber(stats, name);
}

function osSection(nodes: readonly NodeFacts[]): PrintableObject {
  const processors = sum(nodes, ({ info }) => info.process.os.availableProcessors);
  const total = sum(nodes, ofProcess("systemMemoryTotalBytes"));
  const free = sum(nodes, ofProcess("systemMemoryFreeBytes"));
  const freePercent = percentOf(free, total);
  return {
    available_processors: processors,
    allocated_processors: processors,
    names: counted(nodes, "name", ({ info }) => info.process.os.name),
    pretty_names: counted(nodes, "pretty_name", ({ info }) => info.process.os.prettyName),
    mem: {
      total_in_bytes: total,
      free_in_bytes: free,
      used_in_bytes: total - free,
      free_percent: freePercent,
      used_percent: total === 0 ? 0 : 100 - freePercent,
    },
  };
}

function processSection(nodes: readonly NodeFacts[]): PrintableObject {
  const open = nodes.map(ofProcess("openFileDescriptors"));
  return {
    cpu: { percent: sum(nodes, ofProcess("cpuPercent")) },
    open_file_descriptors:
      nodes.length === 0
        ? undefined
        : {
            min: least(open),
            max: greatest(open),
            avg: Math.floor(
              open.reduce((total, value) => total + value, 0) / Math.max(1, open.length),
            ),
          },
  };
}

function runtimeSection(nodes: readonly NodeFacts[], isStrict: boolean): PrintableObject {
  const versions = new Map<string, { readonly facts: NodeInfoFacts; count: number }>();
  for (const { info } of nodes) {
    const entry = versions.get(info.process.runtime.version) ?? { facts: info, count: 0 };
    entry.count += 1;
    versions.set(info.process.runtime.version, entry);
  }
  return {
    max_uptime_in_millis: Math.max(0, greatest(nodes.map(ofProcess("uptimeMs")))),
    versions: [...versions.values()].map(({ facts: { process }, count }) => ({
      version: process.runtime.version,
      vm_name: process.runtime.name,
      vm_version: process.runtime.version,
      vm_vendor: process.runtime.vendor,
      ...bundledRuntime(isStrict),
      count,
    })),
    mem: {
      heap_used_in_bytes: sum(nodes, ofProcess("heapUsedBytes")),
      heap_max_in_bytes: sum(nodes, ofProcess("heapMaxBytes")),
    },
    threads: nodes.length,
  };
}

function fsSection(nodes: readonly NodeFacts[]): PrintableObject {
  if (nodes.length === 0) return { cache_utilized: 0 };
  return {
    total_in_bytes: sum(nodes, ({ stats }) => stats.disk?.totalBytes ?? 0),
    free_in_bytes: sum(nodes, ({ stats }) => stats.disk?.freeBytes ?? 0),
    available_in_bytes: sum(nodes, ({ stats }) => stats.disk?.availableBytes ?? 0),
    cache_reserved_in_bytes: 0,
  };
}

function plugins(nodes: readonly NodeFacts[]): Printable {
  const all = new Map(
    nodes.flatMap(({ info }) => info.plugins.map((plugin) => [plugin.name, plugin] as const)),
  );
  return [...all.values()].map(pluginInfo);
}

function tally(nodes: readonly NodeFacts[], name: (facts: NodeFacts) => string): PrintableObject {
  const counts: Record<string, number> = {};
  for (const facts of nodes) setKey(counts, name(facts), (lookup(counts, name(facts)) ?? 0) + 1);
  return counts;
}

function counted(
  nodes: readonly NodeFacts[],
  key: string,
  name: (facts: NodeFacts) => string,
): Printable {
  return Object.entries(tally(nodes, name))
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([text, count]) => ({ [key]: text, count: count as number }));
}

function textOf(value: string | readonly string[] | undefined, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}
