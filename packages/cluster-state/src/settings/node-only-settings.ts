/**
 * Settings that a node accepts at its start and that are no cluster settings: of thread pools, of the modules of every
 * distribution, and of this program. Most of the product's have no effect here, and are accepted so that its
 * configurations work. The default sizes of pools, which the product derives from the number of
 * processors, are 1 here; no response shows them.
 */
import { boolean, bytes, duration, int, list, long, text } from "./setting-type.ts";
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
    { name: `thread_pool.${name}.size`, type: int(1, { min: 1 }) },
    { name: `thread_pool.${name}.queue_size`, type: int(-1) },
  ]),
  ...scalingPools.flatMap((name): SettingRow[] => [
    { name: `thread_pool.${name}.core`, type: int(1) },
    { name: `thread_pool.${name}.max`, type: int(1) },
    { name: `thread_pool.${name}.keep_alive`, type: duration("5m") },
  ]),
  ...features.map((name): SettingRow => ({
    name: `opensearch.experimental.${name}.enabled`,
    type: boolean(false),
  })),
  { name: "http.netty.max_composite_buffer_components", type: int(69905) },
  { name: "http.netty.receive_predictor_size", type: bytes("64kb") },
  { name: "http.netty.worker_count", type: int(0, { min: 0 }) },
  { name: "index.codec", type: text("default") },
  { name: "index.composite_store.type", type: text("default") },
  { name: "index.recovery.type", type: text("") },
  { name: "index.store.data_locality", type: text("FULL") },
  { name: "index.store.factory", type: text("") },
  { name: "index.store.fs.fs_lock", type: text("native") },
  { name: "index.store.hybrid.nio.extensions", type: list([]) },
  { name: "index.store.preload", type: list([]) },
  { name: "index.store.type", type: text("") },
  { name: `${SPILLOVER}.disk.store.enabled`, type: boolean(true) },
  { name: `${SPILLOVER}.disk.store.name`, type: text("") },
  { name: `${SPILLOVER}.disk.store.policies.took_time.threshold`, type: duration("10ms") },
  { name: `${SPILLOVER}.disk.store.size`, type: long(1_073_741_824) },
  { name: `${SPILLOVER}.onheap.store.name`, type: text("") },
  { name: `${SPILLOVER}.onheap.store.size`, type: bytes("1%", { takesPercentage: true }) },
  { name: `${SPILLOVER}.policies.took_time.threshold`, type: duration("0ms") },
  { name: `${SPILLOVER}.segments`, type: int(4) },
  { name: "ingest.common.processors.allowed", type: list([]) },
  { name: "ingest.grok.watchdog.interval", type: duration("1s") },
  { name: "ingest.grok.watchdog.max_execution_time", type: duration("1s") },
  { name: "ingest.user_agent.cache_size", type: long(1000, { min: 0 }) },
  { name: "ingest.useragent.processors.allowed", type: list([]) },
  { name: "node.data", type: boolean(true), isDeprecated: true },
  { name: "node.ingest", type: boolean(true), isDeprecated: true },
  { name: "node.master", type: boolean(true), isDeprecated: true },
  { name: "node.remote_cluster_client", type: boolean(true), isDeprecated: true },
  { name: "reindex.remote.allowlist", type: list([]) },
  { name: "reindex.remote.retry.initial_backoff", type: duration("500ms") },
  { name: "reindex.remote.retry.max_count", type: int(15, { min: 0 }) },
  { name: "script.painless.regex.enabled", type: text("limited") },
  { name: "script.painless.regex.limit-factor", type: int(6, { min: 1 }) },
  { name: "transport.netty.boss_count", type: int(1, { min: 1 }) },
  { name: "transport.netty.receive_predictor_max", type: bytes("64kb") },
  { name: "transport.netty.receive_predictor_min", type: bytes("64kb") },
  { name: "transport.netty.receive_predictor_size", type: bytes("64kb") },
  { name: "transport.netty.worker_count", type: int(2, { min: 1 }) },
  // Settings of Orrery itself.
  { name: "node.shard_workers", type: int(1, { min: 0 }) },
  { name: "orrery.seed", type: text("") },
  { name: "orrery.shard_worker.stall_timeout", type: duration("30s", { min: "-1" }) },
  { name: "orrery.strict", type: boolean(false) },
];
