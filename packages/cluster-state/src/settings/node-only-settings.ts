/**
 * Settings that a node accepts at its start and that are no cluster settings: of thread pools, of the modules of every
 * distribution, and of this program. Most of the product's have no effect here, and are accepted so that its
 * configurations work. Rows as in `SettingRow`; defaults of pools, which depend on the machine, are placeholders.
 */
import type { SettingRow } from "./setting.ts";

/** Thread pools of a fixed size with a queue (`ThreadPool`). */
const fixedPools = [
  ...["analyze", "force_merge", "get", "index_searcher", "listener", "remote_state_checksum"],
  ...["remote_state_read", "search", "search_throttled", "stream_search", "system_read"],
  ...["system_write", "translog_recovery", "translog_sync", "write"],
];
/** Thread pools that scale between a core and a maximum size. */
const scalingPools = [
  ...["fetch_shard_started", "fetch_shard_store", "flush", "generic", "management", "merge"],
  ...["refresh", "remote_download", "remote_purge", "remote_recovery", "remote_refresh_retry"],
  ...["snapshot", "snapshot_deletion", "translog_transfer", "warmer"],
];

const features = [
  "feature.application_templates",
  "feature.extensions",
  "feature.pluggable.dataformat",
  "feature.remote_store.migration",
  "feature.snapshot_resilience",
  "feature.telemetry",
  "feature.transport.stream",
  "feature.writable_warm_index",
  "optimization.datetime_formatter_caching",
  "optimization.termversion.precommit",
];

const SPILLOVER = "indices.requests.cache.tiered_spillover";

export const nodeOnlyRows: readonly SettingRow[] = [
  ...fixedPools.flatMap((name): SettingRow[] => [
    [`thread_pool.${name}.size`, "int", "1", "", "1"],
    [`thread_pool.${name}.queue_size`, "int", "-1", ""],
  ]),
  ...scalingPools.flatMap((name): SettingRow[] => [
    [`thread_pool.${name}.core`, "int", "1", ""],
    [`thread_pool.${name}.max`, "int", "1", ""],
    [`thread_pool.${name}.keep_alive`, "duration", "5m", ""],
  ]),
  ...features.map((name): SettingRow => [
    `opensearch.experimental.${name}.enabled`,
    "boolean",
    "false",
    "",
  ]),
  ["http.netty.max_composite_buffer_components", "int", "69905", ""],
  ["http.netty.receive_predictor_size", "bytes", "64kb", ""],
  ["http.netty.worker_count", "int", "0", "", "0"],
  ["index.codec", "text", "default", ""],
  ["index.composite_store.type", "text", "default", ""],
  ["index.recovery.type", "text", "", ""],
  ["index.store.data_locality", "text", "FULL", ""],
  ["index.store.factory", "text", "", ""],
  ["index.store.fs.fs_lock", "text", "native", ""],
  ["index.store.hybrid.nio.extensions", "list", [], ""],
  ["index.store.preload", "list", [], ""],
  ["index.store.type", "text", "", ""],
  [`${SPILLOVER}.disk.store.enabled`, "boolean", "true", ""],
  [`${SPILLOVER}.disk.store.name`, "text", "", ""],
  [`${SPILLOVER}.disk.store.policies.took_time.threshold`, "duration", "10ms", ""],
  [`${SPILLOVER}.disk.store.size`, "long", "1073741824", ""],
  [`${SPILLOVER}.onheap.store.name`, "text", "", ""],
  [`${SPILLOVER}.onheap.store.size`, "bytes", "1%", "%"],
  [`${SPILLOVER}.policies.took_time.threshold`, "duration", "0ms", ""],
  [`${SPILLOVER}.segments`, "int", "4", ""],
  ["ingest.common.processors.allowed", "list", [], ""],
  ["ingest.grok.watchdog.interval", "duration", "1s", ""],
  ["ingest.grok.watchdog.max_execution_time", "duration", "1s", ""],
  ["ingest.user_agent.cache_size", "long", "1000", "", "0"],
  ["ingest.useragent.processors.allowed", "list", [], ""],
  ["node.data", "boolean", "true", "x"],
  ["node.ingest", "boolean", "true", "x"],
  ["node.master", "boolean", "true", "x"],
  ["node.remote_cluster_client", "boolean", "true", "x"],
  ["reindex.remote.allowlist", "list", [], ""],
  ["reindex.remote.retry.initial_backoff", "duration", "500ms", ""],
  ["reindex.remote.retry.max_count", "int", "15", "", "0"],
  ["script.painless.regex.enabled", "text", "limited", ""],
  ["script.painless.regex.limit-factor", "int", "6", "", "1"],
  ["transport.netty.boss_count", "int", "1", "", "1"],
  ["transport.netty.receive_predictor_max", "bytes", "64kb", ""],
  ["transport.netty.receive_predictor_min", "bytes", "64kb", ""],
  ["transport.netty.receive_predictor_size", "bytes", "64kb", ""],
  ["transport.netty.worker_count", "int", "2", "", "1"],
  // Settings of Orrery itself.
  ["node.shard_workers", "int", "1", "", "0"],
  ["orrery.seed", "text", "", ""],
  ["orrery.shard_worker.stall_timeout", "duration", "30s", "", "-1"],
  ["orrery.strict", "boolean", "false", ""],
];
