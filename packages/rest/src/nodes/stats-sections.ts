/** Statistics of a node in the product's sections (`nodes.stats`). Counters that this node does not keep are 0. */
import { lookup, setKey } from "@orrery/stdx";
import type { DiscoveryNode } from "@orrery/cluster-state";
import { nodeStatsMetrics, type NodeStatsFacts } from "@orrery/node";
import type { Printable, PrintableObject } from "../json/printable.ts";
import { sumSections } from "../stats/sum.ts";
import type { SectionName } from "../stats/sections.ts";
import { rolesOf } from "./identity.ts";
import { emptySections, transportAndHttp } from "./stats-zeros.ts";
import { breakers, fsStats, osStats, processStats, runtimeStats } from "./stats-process.ts";
import { threadPools } from "./thread-pools.ts";

type CoreMetric = (typeof nodeStatsMetrics)[number];

/** Selection of sections and of shard statistics, and the level of detail of the latter. */
export interface StatsView {
  /** Names of the requested sections, of the core and of plugins. */
  readonly wanted: ReadonlySet<string>;
  /** Names of the sections that plugins add, in their order. */
  readonly added: readonly string[];
  readonly sections: ReadonlySet<SectionName>;
  readonly level: string;
  readonly processors: number;
}

/** Statistics of one node. */
export function nodeStatsJson(
  node: DiscoveryNode,
  facts: NodeStatsFacts,
  view: StatsView,
): PrintableObject {
  const body: Record<string, Printable | undefined> = {
    timestamp: facts.timestampMs,
    name: node.name,
    transport_address: node.transportAddress,
    host: node.hostName,
    ip: node.transportAddress,
    roles: rolesOf(node),
    attributes: node.attributes,
  };
  for (const metric of nodeStatsMetrics) {
    if (!view.wanted.has(metric)) continue;
    const key = metric === "breaker" ? "breakers" : metric;
    setKey(body, key, sectionOf(metric, { node, facts, view }));
  }
  for (const name of view.added) {
    if (view.wanted.has(name)) setKey(body, name, lookup(facts.sections, name));
  }
  return { ...body, native_memory: { total_estimated_bytes: 0 } };
}

interface Source {
  readonly node: DiscoveryNode;
  readonly facts: NodeStatsFacts;
  readonly view: StatsView;
}

function sectionOf(metric: CoreMetric, { node, facts, view }: Source): Printable | undefined {
  const own = facts.sections?.[metric];
  if (own !== undefined) return own;
  switch (metric) {
    case "indices":
      return indicesStats(node, facts, view);
    case "os":
      return osStats(facts);
    case "process":
      return processStats(facts);
    case "jvm":
      return runtimeStats(facts);
    case "thread_pool":
      return threadPoolStats(facts, view.processors);
    case "fs":
      return fsStats(facts);
    case "breaker":
      return breakers(facts);
    case "transport":
    case "http":
      return transportAndHttp(facts)[metric];
    case "adaptive_selection":
      return adaptiveSelection(facts);
    case "cluster_manager_throttling":
      return { stats: { total_throttled_tasks: 0, throttled_tasks_per_task_type: {} } };
    default:
      return emptySections(facts)[metric];
  }
}

const requestCounters = { time_in_millis: 0, current: 0, total: 0 };

function indicesStats(
  node: DiscoveryNode,
  facts: NodeStatsFacts,
  view: StatsView,
): PrintableObject {
  const sums = sumSections(
    facts.shards.map(({ stats }) => stats),
    view.sections,
  );
  const { search } = sums;
  const withRequests =
    search === undefined
      ? sums
      : {
          ...sums,
          search: {
            ...search,
            request: {
              took: requestCounters,
              dfs_pre_query: requestCounters,
              query: requestCounters,
              fetch: requestCounters,
              dfs_query: requestCounters,
              expand: requestCounters,
              can_match: requestCounters,
            },
          },
        };
  return {
    ...withRequests,
    status_counter: {
      doc_status: { success: 0, user_error: 0, system_failure: 0 },
      search_response_status: { success: 0, user_error: 0, system_failure: 0 },
    },
    indices: view.level === "indices" ? byIndex(facts, view) : undefined,
    shards: view.level === "shards" ? byShard(node, facts, view) : undefined,
  };
}

function byIndex(facts: NodeStatsFacts, view: StatsView): PrintableObject {
  const names = [...new Set(facts.shards.map(({ index }) => index))].toSorted();
  const entries = names.map((name) => {
    const copies = facts.shards.filter(({ index }) => index === name);
    return [
      name,
      sumSections(
        copies.map(({ stats }) => stats),
        view.sections,
      ),
    ];
  });
  return Object.fromEntries(entries) as PrintableObject;
}

function byShard(node: DiscoveryNode, facts: NodeStatsFacts, view: StatsView): PrintableObject {
  const names = [...new Set(facts.shards.map(({ index }) => index))].toSorted();
  const entries = names.map((name) => {
    const copies = facts.shards
      .filter(({ index }) => index === name)
      .toSorted((a, b) => a.shard - b.shard);
    return [name, copies.map((copy) => ({ [String(copy.shard)]: copyJson(node, copy, view) }))];
  });
  return Object.fromEntries(entries) as PrintableObject;
}

function copyJson(
  node: DiscoveryNode,
  copy: NodeStatsFacts["shards"][number],
  view: StatsView,
): PrintableObject {
  const details = copy.stats;
  return {
    routing: {
      state: copy.state,
      primary: copy.primary,
      node: node.id,
      relocating_node: copy.relocatingNodeId ?? null,
    },
    ...sumSections([copy.stats], view.sections),
    commit: details["commit"],
    seq_no: details["seq_no"],
    retention_leases: details["retention_leases"],
    shard_path: details["shard_path"],
  };
}

const WITH_WAIT_TIME = new Set(["index_searcher", "search", "search_throttled", "stream_search"]);

function threadPoolStats(facts: NodeStatsFacts, processors: number): PrintableObject {
  const entries = [...threadPools(processors).keys()].map((name) => {
    const pool = lookup(facts.threadPools, name);
    const counters = {
      threads: pool?.threads ?? 0,
      queue: pool?.queue ?? 0,
      active: pool?.active ?? 0,
      rejected: pool?.rejected ?? 0,
      largest: pool?.largest ?? 0,
      completed: pool?.completed ?? 0,
    };
    return [
      name,
      WITH_WAIT_TIME.has(name) ? { ...counters, total_wait_time_in_nanos: 0 } : counters,
    ];
  });
  return Object.fromEntries(entries) as PrintableObject;
}

function adaptiveSelection(facts: NodeStatsFacts): PrintableObject {
  const entries = Object.entries(facts.adaptiveSelection ?? {}).map(([id, node]) => [
    id,
    {
      outgoing_searches: node.outgoingSearches,
      avg_queue_size: node.avgQueueSize,
      avg_service_time_ns: node.avgServiceTimeNs,
      avg_response_time_ns: node.avgResponseTimeNs,
      rank: node.rank,
    },
  ]);
  return Object.fromEntries(entries) as PrintableObject;
}
