/** `_stats` of one copy (`CommonStats`), in the product's shape. Sections without a counterpart here are zero. */
import type { Json, JsonObject } from "@orrery/stdx";
import type { ShardCopy } from "../copy/shard-copy.ts";
import { engineOf } from "../copy/shard-copy.ts";
import type { EngineCounters } from "../engine/counters.ts";
import { storeSize, uncommitted } from "../engine/flush.ts";
import type { EngineState } from "../engine/types.ts";
import type { SearchContext } from "../search/contexts.ts";
import { documentCounts } from "./document-counts.ts";

export function copyStats(copy: ShardCopy): JsonObject {
  const engine = engineOf(copy);
  const { counters } = engine;
  return {
    docs: documentCounts(engine.visible),
    store: { size_in_bytes: storeSize(engine), reserved_in_bytes: 0 },
    indexing: indexing(counters),
    get: get(counters),
    search: search(counters, copy.worker.contexts.of(copy)),
    merges: merges(counters),
    refresh: {
      total: counters.refreshTotal,
      total_time_in_millis: round(counters.refreshMs),
      external_total: counters.externalRefreshTotal,
      external_total_time_in_millis: round(counters.externalRefreshMs),
      listeners: engine.refreshListeners.length,
    },
    flush: {
      total: counters.flushTotal,
      periodic: counters.flushPeriodic,
      total_time_in_millis: round(counters.flushMs),
    },
    warmer: { current: 0, total: counters.externalRefreshTotal, total_time_in_millis: 0 },
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
    segments: segments(engine),
    translog: translog(copy, engine),
    request_cache: { memory_size_in_bytes: 0, evictions: 0, hit_count: 0, miss_count: 0 },
    recovery: {
      current_as_source: counters.recoveriesAsSource,
      current_as_target: counters.recoveriesAsTarget,
      throttle_time_in_millis: round(counters.recoveryThrottleMs),
    },
    commit: commit(engine),
    seq_no: {
      max_seq_no: engine.tracker.maxSeqNo,
      local_checkpoint: engine.tracker.persistedCheckpoint,
      global_checkpoint: copy.tracker.globalCheckpoint,
    },
    retention_leases: {
      primary_term: copy.leases.primaryTerm,
      version: copy.leases.version,
      leases: copy.leases.leases.map(({ id, retainingSeqNo, timestampMs, source }) => ({
        id,
        retaining_seq_no: retainingSeqNo,
        timestamp: timestampMs,
        source,
      })),
    },
    shard_path: {
      state_path: copy.paths.root,
      data_path: copy.paths.root,
      is_custom_data_path: false,
    },
  };
}

function indexing(counters: EngineCounters): Json {
  return {
    index_total: counters.indexTotal,
    index_time_in_millis: round(counters.indexMs),
    index_current: counters.indexCurrent,
    index_failed: counters.indexFailed,
    delete_total: counters.deleteTotal,
    delete_time_in_millis: round(counters.deleteMs),
    delete_current: counters.deleteCurrent,
    noop_update_total: counters.noopUpdates,
    is_throttled: false,
    throttle_time_in_millis: 0,
    max_last_index_request_timestamp: counters.lastIndexRequestMs,
  };
}

function get(counters: EngineCounters): Json {
  return {
    total: counters.getExists + counters.getMissing,
    time_in_millis: round(counters.getExistsMs + counters.getMissingMs),
    exists_total: counters.getExists,
    exists_time_in_millis: round(counters.getExistsMs),
    missing_total: counters.getMissing,
    missing_time_in_millis: round(counters.getMissingMs),
    current: 0,
  };
}

function search(counters: EngineCounters, contexts: readonly SearchContext[]): Json {
  return {
    open_contexts: contexts.length,
    query_total: counters.queryTotal,
    query_time_in_millis: round(counters.queryMs),
    query_current: counters.queryCurrent,
    query_failed: counters.queryFailed,
    concurrent_query_total: 0,
    concurrent_query_time_in_millis: 0,
    concurrent_query_current: 0,
    concurrent_avg_slice_count: 0,
    startree_query_total: 0,
    startree_query_time_in_millis: 0,
    startree_query_current: 0,
    startree_query_failed: 0,
    fetch_total: counters.fetchTotal,
    fetch_time_in_millis: round(counters.fetchMs),
    fetch_current: counters.fetchCurrent,
    scroll_total: counters.scrollTotal,
    scroll_time_in_millis: round(counters.scrollMs),
    scroll_current: contexts.filter(({ kind }) => kind === "scroll").length,
    point_in_time_total: counters.pitTotal,
    point_in_time_time_in_millis: round(counters.pitMs),
    point_in_time_current: contexts.filter(({ kind }) => kind === "point-in-time").length,
    suggest_total: counters.suggestTotal,
    suggest_time_in_millis: round(counters.suggestMs),
    suggest_current: 0,
    search_idle_reactivate_count_total: counters.searchIdleReactivations,
  };
}

function merges(counters: EngineCounters): Json {
  return {
    current: counters.mergeCurrent,
    current_docs: counters.mergeCurrentDocs,
    current_size_in_bytes: counters.mergeCurrentBytes,
    total: counters.mergeTotal,
    total_time_in_millis: round(counters.mergeMs),
    total_docs: counters.mergeDocs,
    total_size_in_bytes: counters.mergeBytes,
    total_stopped_time_in_millis: 0,
    total_throttled_time_in_millis: 0,
    total_auto_throttle_in_bytes: 20_971_520,
    unreferenced_file_cleanups_performed: 0,
  };
}

function segments(engine: EngineState): Json {
  return {
    count: engine.visible.length,
    memory_in_bytes: 0,
    terms_memory_in_bytes: 0,
    stored_fields_memory_in_bytes: 0,
    term_vectors_memory_in_bytes: 0,
    norms_memory_in_bytes: 0,
    points_memory_in_bytes: 0,
    doc_values_memory_in_bytes: 0,
    index_writer_memory_in_bytes: engine.writer.isEmpty ? 0 : engine.writer.ramBytes,
    version_map_memory_in_bytes: engine.heldBytes,
    fixed_bit_set_memory_in_bytes: 0,
    max_unsafe_auto_id_timestamp: engine.maxUnsafeAutoIdMs,
    file_sizes: {},
  };
}

function translog(copy: ShardCopy, engine: EngineState): Json {
  const pending = uncommitted(engine);
  return {
    operations: engine.translog.operations,
    size_in_bytes: engine.translog.sizeBytes,
    uncommitted_operations: pending.operations,
    uncommitted_size_in_bytes: pending.sizeBytes,
    earliest_last_modified_age: Math.max(
      0,
      round(copy.worker.clock.monotonicMs() - engine.lastWriteMs),
    ),
  };
}

function commit(engine: EngineState): Json {
  const last = engine.commits.at(-1);
  if (last === undefined) return {};
  return {
    id: last.id,
    generation: last.generation,
    user_data: {
      translog_uuid: last.translogUuid,
      history_uuid: last.historyUuid,
      local_checkpoint: String(last.localCheckpoint),
      max_seq_no: String(last.maxSeqNo),
      max_unsafe_auto_id_timestamp: String(last.maxUnsafeAutoIdMs),
    },
    num_docs: last.segments.reduce((sum, segment) => sum + segment.liveDocs, 0),
  };
}

function round(ms: number): number {
  return Math.round(ms);
}
