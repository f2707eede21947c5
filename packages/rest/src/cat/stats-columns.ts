/** Columns over counters of shard statistics, shared by the tables of nodes, shards and indices, which differ in a few aliases. */
import { lookup } from "@orrery/stdx";
import type { PrintableObject } from "../json/printable.ts";
import { sizeCell, timeCell, type Cell, type Column } from "./column.ts";

interface StatsColumn {
  readonly name: string;
  readonly aliases: string;
  readonly description: string;
  /** Dotted path of the counter, `section.name`; derived from the column's name when absent. */
  readonly path?: string;
}

/** One line per column: name, aliases and description, separated by `|`, with the texts of the product's help. */
const TABLE = `
completion.size|cs,completionSize|size of completion
fielddata.memory_size|fm,fielddataMemory|used fielddata cache
fielddata.evictions|fe,fielddataEvictions|fielddata evictions
query_cache.memory_size|qcm,queryCacheMemory|used query cache
query_cache.evictions|qce,queryCacheEvictions|query cache evictions
query_cache.hit_count|qchc,queryCacheHitCount|query cache hit counts
query_cache.miss_count|qcmc,queryCacheMissCount|query cache miss counts
request_cache.memory_size|rcm,requestCacheMemory|used request cache
request_cache.evictions|rce,requestCacheEvictions|request cache evictions
request_cache.hit_count|rchc,requestCacheHitCount|request cache hit counts
request_cache.miss_count|rcmc,requestCacheMissCount|request cache miss counts
flush.total|ft,flushTotal|number of flushes
flush.total_time|ftt,flushTotalTime|time spent in flush
get.current|gc,getCurrent|number of current get ops
get.time|gti,getTime|time spent in get
get.total|gto,getTotal|number of get ops
get.exists_time|geti,getExistsTime|time spent in successful gets
get.exists_total|geto,getExistsTotal|number of successful gets
get.missing_time|gmti,getMissingTime|time spent in failed gets
get.missing_total|gmto,getMissingTotal|number of failed gets
indexing.delete_current|idc,indexingDeleteCurrent|number of current deletions
indexing.delete_time|idti,indexingDeleteTime|time spent in deletions
indexing.delete_total|idto,indexingDeleteTotal|number of delete ops
indexing.index_current|iic,indexingIndexCurrent|number of current indexing ops
indexing.index_time|iiti,indexingIndexTime|time spent in indexing
indexing.index_total|iito,indexingIndexTotal|number of indexing ops
indexing.index_failed|iif,indexingIndexFailed|number of failed indexing ops
merges.current|mc,mergesCurrent|number of current merges
merges.current_docs|mcd,mergesCurrentDocs|number of current merging docs
merges.current_size|mcs,mergesCurrentSize|size of current merges
merges.total|mt,mergesTotal|number of completed merge ops
merges.total_docs|mtd,mergesTotalDocs|docs merged
merges.total_size|mts,mergesTotalSize|size merged
merges.total_time|mtt,mergesTotalTime|time spent in merges
merges.warmer.total_invocations|mswti,mergedSegmentWarmerTotalInvocations|total invocations of merged segment warmer
merges.warmer.total_time|mswtt,mergedSegmentWarmerTotalTime|total wallclock time spent in the warming operation
merges.warmer.ongoing_count|mswoc,mergedSegmentWarmerOngoingCount|point-in-time metric for number of in-progress warm operations
merges.warmer.total_bytes_received|mswtbr,mergedSegmentWarmerTotalBytesReceived|total bytes received by a replica shard during the warm operation
merges.warmer.total_bytes_sent|mswtbs,mergedSegmentWarmerTotalBytesSent|total bytes sent by a primary shard during the warm operation
merges.warmer.total_receive_time|mswtrt,mergedSegmentWarmerTotalReceiveTime|total wallclock time spent receiving merged segments by a replica shard
merges.warmer.total_failure_count|mswtfc,mergedSegmentWarmerTotalFailureCount|total failures in merged segment warmer
merges.warmer.total_send_time|mswtst,mergedSegmentWarmerTotalSendTime|total wallclock time spent sending merged segments by a primary shard
refresh.total|rto,refreshTotal|total refreshes
refresh.time|rti,refreshTime|time spent in refreshes|refresh.total_time_in_millis
refresh.external_total|rto,refreshTotal|total external refreshes
refresh.external_time|rti,refreshTime|time spent in external refreshes|refresh.external_total_time_in_millis
refresh.listeners|rli,refreshListeners|number of pending refresh listeners
search.fetch_current|sfc,searchFetchCurrent|current fetch phase ops
search.fetch_time|sfti,searchFetchTime|time spent in fetch phase
search.fetch_total|sfto,searchFetchTotal|total fetch ops
search.open_contexts|so,searchOpenContexts|open search contexts
search.query_current|sqc,searchQueryCurrent|current query phase ops
search.query_time|sqti,searchQueryTime|time spent in query phase
search.query_total|sqto,searchQueryTotal|total query phase ops
search.query_failed|sqf,searchQueryFailed|failed query phase ops
search.concurrent_query_current|scqc,searchConcurrentQueryCurrent|current concurrent query phase ops
search.concurrent_query_time|scqti,searchConcurrentQueryTime|time spent in concurrent query phase
search.concurrent_query_total|scqto,searchConcurrentQueryTotal|total concurrent query phase ops
search.concurrent_avg_slice_count|casc,searchConcurrentAvgSliceCount|average query concurrency
search.startree_query_current|stqc,startreeQueryCurrent|current star tree query ops
search.startree_query_time|stqti,startreeQueryTime|time spent in star tree queries
search.startree_query_total|stqto,startreeQueryTotal|total star tree resolved queries
search.startree_query_failed|stqf,startreeQueryFailed|failed star tree query ops
search.scroll_current|scc,searchScrollCurrent|open scroll contexts
search.scroll_time|scti,searchScrollTime|time scroll contexts held open
search.scroll_total|scto,searchScrollTotal|completed scroll contexts
search.point_in_time_current|scc,searchPointInTimeCurrent|open point in time contexts
search.point_in_time_time|scti,searchPointInTimeTime|time point in time contexts held open
search.point_in_time_total|scto,searchPointInTimeTotal|completed point in time contexts
search.search_idle_reactivate_count_total|ssirct,searchSearchIdleReactivateCountTotal|number of times a shard reactivated
segments.count|sc,segmentsCount|number of segments
segments.memory|sm,segmentsMemory|memory used by segments
segments.index_writer_memory|siwm,segmentsIndexWriterMemory|memory used by index writer
segments.version_map_memory|svmm,segmentsVersionMapMemory|memory used by version map
segments.fixed_bitset_memory|sfbm,fixedBitsetMemory|memory used by fixed bit sets for nested object field types and type filters for types referred in _parent fields|segments.fixed_bit_set_memory_in_bytes
warmer.current|wc,warmerCurrent|current warmer ops
warmer.total|wto,warmerTotal|total warmer ops
warmer.total_time|wtt,warmerTotalTime|time spent in warmers
suggest.current|suc,suggestCurrent|number of current suggest ops|search.suggest_current
suggest.time|suti,suggestTime|time spend in suggest|search.suggest_time_in_millis
suggest.total|suto,suggestTotal|number of suggest ops|search.suggest_total
`;

const known: ReadonlyMap<string, StatsColumn> = new Map(
  TABLE.trim()
    .split("\n")
    .map((line) => {
      const [name = "", aliases = "", description = "", path] = line.split("|");
      return [name, { name, aliases, description, ...(path === undefined ? {} : { path }) }];
    }),
);

/** Selection of columns, and their differences from the shared table. */
export interface StatsColumnsOptions<Row> {
  /** Column names in the order of the table; a prefix that ends with a dot selects a whole section. */
  readonly names: readonly string[];
  /** Aliases or descriptions that differ in this table, by column name. */
  readonly overrides?: Readonly<
    Record<string, { readonly aliases?: string; readonly description?: string }>
  >;
  /** Statistics of a row; `undefined` for a row without any, whose cells stay empty. */
  readonly stats: (row: Row) => PrintableObject | undefined;
}

/** Columns over counters of shard statistics, in the table's order. */
export function statsColumns<Row>({
  names,
  overrides = {},
  stats,
}: StatsColumnsOptions<Row>): Column<Row>[] {
  const wanted = names.flatMap((name) =>
    name.endsWith(".")
      ? [...known.values()].filter((one) => one.name.startsWith(name))
      : (known.get(name) ?? []),
  );
  return wanted.map((one) => {
    const { aliases = one.aliases, description = one.description } =
      lookup(overrides, one.name) ?? {};
    const { section, counter, kind } = sourceOf(one);
    return {
      name: one.name,
      aliases: aliases.split(","),
      description,
      isDefault: false,
      isRight: true,
      cell: (row) => cellOf(counterOf(stats(row), section, counter), kind),
    };
  });
}

type Kind = "count" | "bytes" | "time";

function sourceOf(one: StatsColumn): {
  readonly section: string;
  readonly counter: string;
  readonly kind: Kind;
} {
  const path = one.path ?? counterPath(one.name);
  const dot = path.indexOf(".");
  const isBytes = path.endsWith("_in_bytes") || /total_bytes_(sent|received)$/.test(path);
  const kind = isBytes ? "bytes" : path.endsWith("_millis") ? "time" : "count";
  return { section: path.slice(0, dot), counter: path.slice(dot + 1), kind };
}

/** The counter's path from the column's name: only counters carry units. */
function counterPath(name: string): string {
  if (name === "merges.warmer.total_invocations") return `${name}_count`;
  if (name.startsWith("merges.warmer.")) return name.endsWith("_time") ? `${name}_millis` : name;
  if (/[._](size|memory)$/.test(name)) return `${name}_in_bytes`;
  return /[._]time$/.test(name) ? `${name}_in_millis` : name;
}

function counterOf(
  stats: PrintableObject | undefined,
  section: string,
  counter: string,
): number | undefined {
  let value = lookup(stats, section);
  for (const step of counter.split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    value = lookup(value as PrintableObject, step);
  }
  return typeof value === "number" ? value : undefined;
}

function cellOf(value: number | undefined, kind: Kind): Cell {
  if (kind === "bytes") return sizeCell(value);
  return kind === "time" ? timeCell(value) : value;
}
