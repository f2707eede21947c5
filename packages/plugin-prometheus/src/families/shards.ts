/**
 * Figures of shard copies: sums over the copies of a node (`indices` of `_nodes/stats`) and over those of an index
 * (`total` and `primaries` of `_stats`). Both bodies have the same members, and both families the same names after
 * `indices_` and `index_`.
 */
import { figure, figures, seconds, type Row } from "../family.ts";

/** The rows under a prefix, for bodies that have the sections of copies at their root. */
export function shardRows(prefix: "indices" | "index"): readonly Row[] {
  return rows.map((row) => ({ ...row, name: `${prefix}_${row.name}` }));
}

const rows: readonly Row[] = [
  figure("doc_number", "Total number of documents", "docs.count"),
  figure("doc_deleted_number", "Number of deleted documents", "docs.deleted"),
  figure("store_size_bytes", "Store size of the indices in bytes", "store.size_in_bytes"),

  figure("indexing_delete_count", "Count of documents deleted", "indexing.delete_total"),
  figure(
    "indexing_delete_current_number",
    "Current rate of documents deleted",
    "indexing.delete_current",
  ),
  seconds(
    "indexing_delete_time_seconds",
    "Time spent while deleting documents",
    "indexing.delete_time_in_millis",
  ),
  figure("indexing_index_count", "Count of documents indexed", "indexing.index_total"),
  figure(
    "indexing_index_current_number",
    "Current rate of documents indexed",
    "indexing.index_current",
  ),
  figure(
    "indexing_index_failed_count",
    "Count of failed to index documents",
    "indexing.index_failed",
  ),
  seconds(
    "indexing_index_time_seconds",
    "Time spent while indexing documents",
    "indexing.index_time_in_millis",
  ),
  figure(
    "indexing_noop_update_count",
    "Count of noop document updates",
    "indexing.noop_update_total",
  ),

  figure("get_count", "Count of get commands", "get.total"),
  seconds("get_time_seconds", "Time spent while get commands", "get.time_in_millis"),
  figure("get_exists_count", "Count of existing documents when get command", "get.exists_total"),
  seconds(
    "get_exists_time_seconds",
    "Time spent while existing documents get command",
    "get.exists_time_in_millis",
  ),
  figure("get_missing_count", "Count of missing documents when get command", "get.missing_total"),
  seconds(
    "get_missing_time_seconds",
    "Time spent while missing documents get command",
    "get.missing_time_in_millis",
  ),

  figure("search_open_contexts_number", "Number of search open contexts", "search.open_contexts"),
  figure("search_fetch_count", "Count of search fetches", "search.fetch_total"),
  figure("search_fetch_current_number", "Current rate of search fetches", "search.fetch_current"),
  seconds(
    "search_fetch_time_seconds",
    "Time spent while search fetches",
    "search.fetch_time_in_millis",
  ),
  figure("search_query_count", "Count of search queries", "search.query_total"),
  figure("search_query_current_number", "Current rate of search queries", "search.query_current"),
  seconds(
    "search_query_time_seconds",
    "Time spent while search queries",
    "search.query_time_in_millis",
  ),
  figure("search_scroll_count", "Count of search scrolls", "search.scroll_total"),
  figure("search_scroll_current_number", "Current rate of search scrolls", "search.scroll_current"),
  seconds(
    "search_scroll_time_seconds",
    "Time spent while search scrolls",
    "search.scroll_time_in_millis",
  ),

  figure("merges_current_number", "Current rate of merges", "merges.current"),
  figure("merges_current_docs_number", "Current rate of documents merged", "merges.current_docs"),
  figure(
    "merges_current_size_bytes",
    "Current rate of bytes merged",
    "merges.current_size_in_bytes",
  ),
  figure("merges_total_number", "Count of merges", "merges.total"),
  seconds("merges_total_time_seconds", "Time spent while merging", "merges.total_time_in_millis"),
  figure("merges_total_docs_count", "Count of documents merged", "merges.total_docs"),
  figure(
    "merges_total_size_bytes",
    "Count of bytes of merged documents",
    "merges.total_size_in_bytes",
  ),

  figure("refresh_total_count", "Count of refreshes", "refresh.total"),
  seconds(
    "refresh_total_time_seconds",
    "Time spent while refreshes",
    "refresh.total_time_in_millis",
  ),
  figure("refresh_listeners_number", "Number of refresh listeners", "refresh.listeners"),

  figure("flush_total_count", "Count of flushes", "flush.total"),
  seconds(
    "flush_total_time_seconds",
    "Total time spent while flushes",
    "flush.total_time_in_millis",
  ),

  figure("segments_number", "Current number of segments", "segments.count"),
  figures("segments_memory_bytes", "Memory used by segments", "type", {
    indexwriter: "segments.index_writer_memory_in_bytes",
    versionmap: "segments.version_map_memory_in_bytes",
  }),

  figure("suggest_count", "Count of suggests", "search.suggest_total"),
  seconds(
    "suggest_time_seconds",
    "Time spent while making suggests",
    "search.suggest_time_in_millis",
  ),

  figures("recovery_current_number", "Current number of recoveries", "type", {
    source: "recovery.current_as_source",
    target: "recovery.current_as_target",
  }),
  seconds(
    "recovery_throttle_time_seconds",
    "Time spent while throttling recoveries",
    "recovery.throttle_time_in_millis",
  ),
];
