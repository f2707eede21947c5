/** `cat.indices`: indices with health, documents and sizes. */
import { lookup } from "@orrery/stdx";
import {
  clusterHealth,
  indicesOptions,
  withParameters,
  type IndexHealth,
  type IndexMetadata,
} from "@orrery/cluster-state";
import { column, sizeCell, type Column } from "../../cat/column.ts";
import { copyStats, counter, statsOf } from "../../cat/copy-stats.ts";
import { defineCat } from "../../cat/operation.ts";
import { statsColumns } from "../../cat/stats-columns.ts";
import { isoDate } from "../../dates.ts";
import type { PrintableObject } from "../../json/printable.ts";
import type { Operation } from "../../operation.ts";
import { flag, indexTargets, managerTimeout, onDemand, oneOf } from "../../parameters.ts";
import { expressionsOf, readState, targetsOf } from "../../state-reading.ts";

interface Row {
  readonly index: IndexMetadata;
  readonly health: IndexHealth | undefined;
  readonly total: PrintableObject | undefined;
  readonly primaries: PrintableObject | undefined;
}

const query = {
  ...managerTimeout,
  expand_wildcards: indexTargets.expand_wildcards,
  local: flag(false),
  health: oneOf(
    ["green", "yellow", "red"],
    undefined,
    (given) => `unknown cluster health status [${given}]`,
  ),
  include_unloaded_segments: onDemand(flag(false)),
};

const right = { isRight: true };
const hidden = { isRight: true, isDefault: false };

/** Each column over all copies, followed by its counterpart over primaries. */
function withPrimaries(
  columns: readonly Column<Row>[],
  primaries: readonly Column<Row>[],
): Column<Row>[] {
  return columns.flatMap((one, i) => {
    const own = primaries[i];
    const name = lookup(PRIMARY_NAMES, one.name) ?? `pri.${one.name}`;
    return [
      { ...one, hasPrimary: true },
      ...(own === undefined ? [] : [{ ...own, name, aliases: [] }]),
    ];
  });
}

/** Columns over primaries whose names in the product deviate from the pattern `pri.<name>`. */
const PRIMARY_NAMES: Readonly<Record<string, string>> = {
  "search.startree_query_current": "pri.search.startree.query_current",
  "search.startree_query_time": "pri.search.startree.query_time",
  "search.startree_query_total": "pri.search.startree.query_total",
};

const counterOptions = {
  names: [
    "completion.",
    "fielddata.",
    "query_cache.memory_size",
    "query_cache.evictions",
    "request_cache.",
    "flush.",
    "get.",
    "indexing.",
    "merges.",
    "refresh.",
    "search.fetch_current",
    "search.fetch_time",
    "search.fetch_total",
    "search.open_contexts",
    "search.query_current",
    "search.query_time",
    "search.query_total",
    "search.query_failed",
    "search.concurrent_query_current",
    "search.concurrent_query_time",
    "search.concurrent_query_total",
    "search.concurrent_avg_slice_count",
    "search.startree_query_current",
    "search.startree_query_time",
    "search.startree_query_failed",
    "search.startree_query_total",
    "search.scroll_current",
    "search.scroll_time",
    "search.scroll_total",
    "search.point_in_time_current",
    "search.point_in_time_time",
    "search.point_in_time_total",
    "segments.",
    "warmer.",
    "suggest.",
  ],
  overrides: {
    "request_cache.hit_count": { description: "request cache hit count" },
    "request_cache.miss_count": { description: "request cache miss count" },
    "search.concurrent_query_total": { description: "total query phase ops" },
    "search.startree_query_failed": { description: "failed star tree query phase ops" },
    "search.startree_query_total": { aliases: "stqto,startreeQueryCurrent" },
  },
};

function memoryOf(stats: PrintableObject | undefined): number | undefined {
  if (stats === undefined) return undefined;
  const parts = [
    counter(stats, "query_cache", "memory_size_in_bytes"),
    counter(stats, "request_cache", "memory_size_in_bytes"),
    counter(stats, "fielddata", "memory_size_in_bytes"),
    counter(stats, "segments", "memory_in_bytes"),
    counter(stats, "completion", "size_in_bytes"),
  ];
  return parts.reduce((sum: number, part) => sum + (part ?? 0), 0);
}

export const catIndices: Operation = defineCat<typeof query, Row>({
  group: "cat.indices",
  permission: "indices:monitor/stats",
  routes: ["GET /_cat/indices", "GET /_cat/indices/{index}"],
  query,
  deviations: [],
  columns: [
    column("health", ({ health }) => health?.status ?? "red", {
      aliases: "h",
      description: "current health status",
    }),
    column("status", ({ index }) => index.state, {
      aliases: "s",
      description: "open/close status",
    }),
    column("index", ({ index }) => index.name, { aliases: "i,idx", description: "index name" }),
    column("uuid", ({ index }) => index.uuid, { aliases: "id,uuid", description: "index uuid" }),
    column("pri", ({ index }) => index.numberOfShards, {
      ...right,
      aliases: "p,shards.primary,shardsPrimary",
      description: "number of primary shards",
    }),
    column("rep", ({ index }) => index.numberOfReplicas, {
      ...right,
      aliases: "r,shards.replica,shardsReplica",
      description: "number of replica shards",
    }),
    column("docs.count", ({ primaries }) => counter(primaries, "docs", "count"), {
      ...right,
      aliases: "dc,docsCount",
      description: "available docs",
    }),
    column("docs.deleted", ({ primaries }) => counter(primaries, "docs", "deleted"), {
      ...right,
      aliases: "dd,docsDeleted",
      description: "deleted docs",
    }),
    column("creation.date", ({ index }) => index.creationDateMs, {
      isDefault: false,
      aliases: "cd",
      description: "index creation date (millisecond value)",
    }),
    column("creation.date.string", ({ index }) => isoDate(index.creationDateMs), {
      isDefault: false,
      aliases: "cds",
      description: "index creation date (as string)",
    }),
    column("store.size", ({ total }) => sizeCell(counter(total, "store", "size_in_bytes")), {
      ...right,
      hasPrimary: true,
      aliases: "ss,storeSize",
      description: "store size of primaries & replicas",
    }),
    column(
      "pri.store.size",
      ({ primaries }) => sizeCell(counter(primaries, "store", "size_in_bytes")),
      {
        ...right,
        description: "store size of primaries",
      },
    ),
    ...withPrimaries(
      statsColumns<Row>({ ...counterOptions, stats: ({ total }) => total }),
      statsColumns<Row>({ ...counterOptions, stats: ({ primaries }) => primaries }),
    ),
    column("memory.total", ({ total }) => sizeCell(memoryOf(total)), {
      ...hidden,
      hasPrimary: true,
      aliases: "tm,memoryTotal",
      description: "total used memory",
    }),
    column("pri.memory.total", ({ primaries }) => sizeCell(memoryOf(primaries)), {
      ...hidden,
      description: "total user memory",
    }),
    column("search.throttled", ({ index }) => index.settings["index.search.throttled"] === "true", {
      isDefault: false,
      aliases: "sth",
      description: "indicates if the index is search throttled",
    }),
    column("last_index_request_timestamp", ({ total }) => lastIndexed(total), {
      isDefault: false,
      aliases: "last_index_ts,lastIndexRequestTimestamp",
      description: "timestamp of the last processed index request (epoch millis)",
    }),
    column("last_index_request_timestamp_string", ({ total }) => isoDate(lastIndexed(total)), {
      isDefault: false,
      aliases: "last_index_ts_string,lastIndexRequestTimestampString",
      description: "timestamp of the last processed index request (ISO8601 string)",
    }),
  ],

  async rows(call, cluster) {
    const given = call.query;
    const state = await readState(cluster, given);
    const expressions = expressionsOf(call.path["index"]);
    const effective = withParameters(indicesOptions.strictExpand, {
      expand_wildcards: given.expand_wildcards,
    });
    const targets = targetsOf(state, expressions, effective, {
      query: {},
      nowMs: cluster.clock.nowMs(),
    });
    const names = targets.map(({ name }) => name);
    const answers = await copyStats(cluster, state, names);
    const health = clusterHealth(state, names);
    const rows = targets.map(({ name, metadata }): Row => {
      const own = answers.filter(({ index }) => index === name);
      return {
        index: metadata,
        health: health.indices.get(name),
        total: statsOf(own),
        primaries: statsOf(own.filter(({ primary }) => primary)),
      };
    });
    return given.health === undefined
      ? rows
      : rows.filter((row) => row.health?.status === given.health);
  },
});

function lastIndexed(stats: PrintableObject | undefined): number {
  return counter(stats, "indexing", "max_last_index_request_timestamp") ?? 0;
}
