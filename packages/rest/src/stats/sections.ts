/**
 * Sections of shard statistics: names, order, and all counters with value 0.
 *
 * A copy reports the counters that it keeps; merging them over these zeros gives every response all keys of the
 * product.
 */
import type { PrintableObject } from "../json/printable.ts";

const searchCounters = {
  query_total: 0,
  query_time_in_millis: 0,
  query_current: 0,
  query_failed: 0,
  concurrent_query_total: 0,
  concurrent_query_time_in_millis: 0,
  concurrent_query_current: 0,
  concurrent_avg_slice_count: 0,
  startree_query_total: 0,
  startree_query_time_in_millis: 0,
  startree_query_current: 0,
  startree_query_failed: 0,
  fetch_total: 0,
  fetch_time_in_millis: 0,
  fetch_current: 0,
  scroll_total: 0,
  scroll_time_in_millis: 0,
  scroll_current: 0,
  point_in_time_total: 0,
  point_in_time_time_in_millis: 0,
  point_in_time_current: 0,
  suggest_total: 0,
  suggest_time_in_millis: 0,
  suggest_current: 0,
  search_idle_reactivate_count_total: 0,
};

const transferred = { started_bytes: 0, succeeded_bytes: 0, failed_bytes: 0 };

/** Sections in the product's order. */
const names = [
  "docs",
  "store",
  "indexing",
  "get",
  "search",
  "merges",
  "refresh",
  "flush",
  "warmer",
  "query_cache",
  "fielddata",
  "completion",
  "segments",
  "translog",
  "request_cache",
  "recovery",
] as const;

/** Name of a section of shard statistics. */
export type SectionName = (typeof names)[number];

/** All sections in the product's order. */
export const sectionNames: readonly SectionName[] = names;

/**
 * Every section with all members that the product prints, at the values of a copy that has counted nothing: 0 for
 * nearly all.
 */
export const shardSections: Readonly<Record<SectionName, PrintableObject>> = {
  docs: { count: 0, deleted: 0 },
  store: { size_in_bytes: 0, reserved_in_bytes: 0 },
  indexing: {
    index_total: 0,
    index_time_in_millis: 0,
    index_current: 0,
    index_failed: 0,
    delete_total: 0,
    delete_time_in_millis: 0,
    delete_current: 0,
    noop_update_total: 0,
    is_throttled: false,
    throttle_time_in_millis: 0,
    max_last_index_request_timestamp: 0,
  },
  get: {
    total: 0,
    getTime: "0s",
    time_in_millis: 0,
    exists_total: 0,
    exists_time_in_millis: 0,
    missing_total: 0,
    missing_time_in_millis: 0,
    current: 0,
  },
  search: { open_contexts: 0, ...searchCounters },
  merges: {
    current: 0,
    current_docs: 0,
    current_size_in_bytes: 0,
    total: 0,
    total_time_in_millis: 0,
    total_docs: 0,
    total_size_in_bytes: 0,
    total_stopped_time_in_millis: 0,
    total_throttled_time_in_millis: 0,
    total_auto_throttle_in_bytes: 0,
    unreferenced_file_cleanups_performed: 0,
    warmer: {
      total_invocations_count: 0,
      total_time_millis: 0,
      total_failure_count: 0,
      total_bytes_sent: 0,
      total_bytes_received: 0,
      total_send_time_millis: 0,
      total_receive_time_millis: 0,
      ongoing_count: 0,
    },
  },
  refresh: {
    total: 0,
    total_time_in_millis: 0,
    external_total: 0,
    external_total_time_in_millis: 0,
    listeners: 0,
  },
  flush: { total: 0, periodic: 0, total_time_in_millis: 0 },
  warmer: { current: 0, total: 0, total_time_in_millis: 0 },
  query_cache: {
    memory_size_in_bytes: 0,
    total_count: 0,
    hit_count: 0,
    miss_count: 0,
    cache_size: 0,
    cache_count: 0,
    evictions: 0,
  },
  fielddata: { memory_size_in_bytes: 0, evictions: 0 },
  completion: { size_in_bytes: 0 },
  segments: {
    count: 0,
    memory_in_bytes: 0,
    terms_memory_in_bytes: 0,
    stored_fields_memory_in_bytes: 0,
    term_vectors_memory_in_bytes: 0,
    norms_memory_in_bytes: 0,
    points_memory_in_bytes: 0,
    doc_values_memory_in_bytes: 0,
    index_writer_memory_in_bytes: 0,
    version_map_memory_in_bytes: 0,
    fixed_bit_set_memory_in_bytes: 0,
    max_unsafe_auto_id_timestamp: -1,
    remote_store: {
      upload: {
        total_upload_size: transferred,
        refresh_size_lag: { total_bytes: 0, max_bytes: 0 },
        max_refresh_time_lag_in_millis: 0,
        total_time_spent_in_millis: 0,
        pressure: { total_rejections: 0 },
      },
      download: { total_download_size: transferred, total_time_spent_in_millis: 0 },
    },
    segment_replication: { max_bytes_behind: 0, total_bytes_behind: 0, max_replication_lag: 0 },
    file_sizes: {},
  },
  translog: {
    operations: 0,
    size_in_bytes: 0,
    uncommitted_operations: 0,
    uncommitted_size_in_bytes: 0,
    earliest_last_modified_age: 0,
    remote_store: {
      upload: {
        total_uploads: { started: 0, failed: 0, succeeded: 0 },
        total_upload_size: { started_bytes: 0, failed_bytes: 0, succeeded_bytes: 0 },
      },
    },
  },
  request_cache: { memory_size_in_bytes: 0, evictions: 0, hit_count: 0, miss_count: 0 },
  recovery: { current_as_source: 0, current_as_target: 0, throttle_time_in_millis: 0 },
};

/** Name of the section as a metric in paths; only `merges` differs. */
export function metricOf(section: SectionName): string {
  return section === "merges" ? "merge" : section;
}
