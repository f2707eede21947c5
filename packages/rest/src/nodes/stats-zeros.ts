/** Statistics sections of features that are absent or not counted: all keys of the product, with value 0. */
import type { NodeStatsFacts } from "@orrery/node";
import type { PrintableObject } from "../json/printable.ts";
import { processNumber } from "./stats-process.ts";

/** Sections `transport` and `http`. */
export function transportAndHttp(
  facts: NodeStatsFacts,
): Readonly<Record<"transport" | "http", PrintableObject>> {
  const { transport, http } = facts;
  return {
    transport: {
      server_open: transport?.serverOpen ?? 0,
      total_outbound_connections: transport?.totalOutboundConnections ?? 0,
      rx_count: transport?.rxCount ?? 0,
      rx_size_in_bytes: transport?.rxSizeBytes ?? 0,
      tx_count: transport?.txCount ?? 0,
      tx_size_in_bytes: transport?.txSizeBytes ?? 0,
    },
    http: { current_open: http?.currentOpen ?? 0, total_opened: http?.totalOpened ?? 0 },
  };
}

const counters = { count: 0, time_in_millis: 0, current: 0, failed: 0 };
const script = { compilations: 0, cache_evictions: 0, compilation_limit_triggered: 0 };
const pressure = {
  combined_coordinating_and_primary_in_bytes: 0,
  coordinating_in_bytes: 0,
  primary_in_bytes: 0,
  replica_in_bytes: 0,
  all_in_bytes: 0,
};
const tracked = { cancellation_count: 0, current_max_millis: 0, current_avg_millis: 0 };
const searchTask = {
  resource_tracker_stats: {
    cpu_usage_tracker: tracked,
    elapsed_time_tracker: tracked,
    heap_usage_tracker: {
      cancellation_count: 0,
      current_max_bytes: 0,
      current_avg_bytes: 0,
      rolling_avg_bytes: 0,
    },
  },
  completion_count: 0,
  cancellation_stats: { cancellation_count: 0, cancellation_limit_reached_count: 0 },
};
const afterCancel = { current_count_post_cancel: 0, total_count_post_cancel: 0 };
const rejections = { transport: { rejection_count: {} } };

/**
 * Sections of features that are absent or not counted: 0 everywhere, except for limits and the number of published
 * cluster states.
 */
export function emptySections(facts: NodeStatsFacts): PrintableObject {
  const published = facts.publishedStates ?? 0;
  return {
    script,
    discovery: {
      cluster_state_queue: { total: 0, pending: 0, committed: 0 },
      published_cluster_states: {
        full_states: 0,
        incompatible_diffs: 0,
        compatible_diffs: published,
      },
      cluster_state_stats: {
        overall: { update_count: published, total_time_in_millis: 0, failed_count: 0 },
      },
    },
    ingest: { total: counters, pipelines: {} },
    script_cache: { sum: script, contexts: [] },
    indexing_pressure: {
      memory: {
        current: pressure,
        total: {
          ...pressure,
          coordinating_rejections: 0,
          primary_rejections: 0,
          replica_rejections: 0,
        },
        limit_in_bytes: Math.floor(processNumber(facts, "heapMaxBytes") / 10),
      },
    },
    shard_indexing_pressure: {
      stats: {},
      total_rejections_breakup_shadow_mode: {
        node_limits: 0,
        no_successful_request_limits: 0,
        throughput_degradation_limits: 0,
      },
      enabled: false,
      enforced: false,
    },
    search_backpressure: {
      search_task: searchTask,
      search_shard_task: searchTask,
      mode: "monitor_only",
    },
    weighted_routing: { stats: { fail_open_count: 0 } },
    task_cancellation: { search_task: afterCancel, search_shard_task: afterCancel },
    search_pipeline: {
      total_request: counters,
      total_response: counters,
      pipelines: {},
      system_generated_processors: { request_processors: [], response_processors: [] },
      system_generated_factories: {
        request_processor_factories: [],
        response_processor_factories: [],
      },
    },
    resource_usage_stats: {},
    segment_replication_backpressure: { total_rejected_requests: 0 },
    repositories: [],
    admission_control: {
      global_io_usage: rejections,
      global_cpu_usage: rejections,
      global_native_memory_usage: rejections,
    },
    caches: {
      request_cache: {
        size_in_bytes: 0,
        evictions: 0,
        hit_count: 0,
        miss_count: 0,
        item_count: 0,
        store_name: "opensearch_onheap",
      },
    },
    remote_store: { last_successful_fetch_of_pinned_timestamps: -1 },
  };
}
