/**
 * Settings that a node accepts at its start and that are no cluster settings: of thread pools, of the modules of every
 * distribution, and of this program. Most of the product's have no effect here. The default sizes of pools, which the product derives from the number of
 * processors, are 1 here; no response shows them.
 */
import { boolean, bytes, duration, int, list, long, text } from "./setting-type.ts";
import type { NodeSettingRow } from "./setting.ts";

/** Thread pools of a fixed size with a queue (`ThreadPool`). */
const fixedPools = [
  ...["analyze", "force_merge", "get", "index_searcher", "listener", "remote_state_checksum"],
  ...["remote_state_read", "search", "search_throttled", "stream_search", "system_read"],
  ...["system_write", "translog_recovery", "translog_sync", "write"],
];
/** Thread pools that admit requests to shards; their sizes have an effect. */
const admitted: ReadonlySet<string> = new Set(["get", "search", "write"]);
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

export const nodeOnlyRows: readonly NodeSettingRow[] = [
  ...fixedPools.flatMap((name): NodeSettingRow[] => [
    { name: `thread_pool.${name}.size`, hasEffect: admitted.has(name), type: int(1, { min: 1 }) },
    { name: `thread_pool.${name}.queue_size`, hasEffect: admitted.has(name), type: int(-1) },
  ]),
  ...scalingPools.flatMap((name): NodeSettingRow[] => [
    { name: `thread_pool.${name}.core`, hasEffect: false, type: int(1) },
    { name: `thread_pool.${name}.max`, hasEffect: false, type: int(1) },
    { name: `thread_pool.${name}.keep_alive`, hasEffect: false, type: duration("5m") },
  ]),
  ...features.map((name): NodeSettingRow => ({
    name: `opensearch.experimental.${name}.enabled`,
    hasEffect: false,
    type: boolean(false),
  })),
  { name: "http.netty.max_composite_buffer_components", hasEffect: false, type: int(69905) },
  { name: "http.netty.receive_predictor_size", hasEffect: false, type: bytes("64kb") },
  { name: "http.netty.worker_count", hasEffect: false, type: int(0, { min: 0 }) },
  { name: "index.codec", hasEffect: false, type: text("default") },
  { name: "index.composite_store.type", hasEffect: false, type: text("default") },
  { name: "index.recovery.type", hasEffect: false, type: text("") },
  { name: "index.store.data_locality", hasEffect: false, type: text("FULL") },
  { name: "index.store.factory", hasEffect: false, type: text("") },
  { name: "index.store.fs.fs_lock", hasEffect: false, type: text("native") },
  { name: "index.store.hybrid.nio.extensions", hasEffect: false, type: list([]) },
  { name: "index.store.preload", hasEffect: false, type: list([]) },
  { name: "index.store.type", hasEffect: false, type: text("") },
  { name: `${SPILLOVER}.disk.store.enabled`, hasEffect: false, type: boolean(true) },
  { name: `${SPILLOVER}.disk.store.name`, hasEffect: false, type: text("") },
  {
    name: `${SPILLOVER}.disk.store.policies.took_time.threshold`,
    hasEffect: false,
    type: duration("10ms"),
  },
  { name: `${SPILLOVER}.disk.store.size`, hasEffect: false, type: long(1_073_741_824) },
  { name: `${SPILLOVER}.onheap.store.name`, hasEffect: false, type: text("") },
  {
    name: `${SPILLOVER}.onheap.store.size`,
    hasEffect: false,
    type: bytes("1%", { takesPercentage: true }),
  },
  { name: `${SPILLOVER}.policies.took_time.threshold`, hasEffect: false, type: duration("0ms") },
  { name: `${SPILLOVER}.segments`, hasEffect: false, type: int(4) },
  { name: "ingest.common.processors.allowed", hasEffect: false, type: list([]) },
  { name: "ingest.grok.watchdog.interval", hasEffect: false, type: duration("1s") },
  { name: "ingest.grok.watchdog.max_execution_time", hasEffect: false, type: duration("1s") },
  { name: "ingest.user_agent.cache_size", hasEffect: false, type: long(1000, { min: 0 }) },
  { name: "ingest.useragent.processors.allowed", hasEffect: false, type: list([]) },
  { name: "node.data", hasEffect: false, type: boolean(true), isDeprecated: true },
  { name: "node.ingest", hasEffect: false, type: boolean(true), isDeprecated: true },
  { name: "node.master", hasEffect: false, type: boolean(true), isDeprecated: true },
  { name: "node.remote_cluster_client", hasEffect: false, type: boolean(true), isDeprecated: true },
  { name: "reindex.remote.allowlist", hasEffect: false, type: list([]) },
  { name: "reindex.remote.retry.initial_backoff", hasEffect: false, type: duration("500ms") },
  { name: "reindex.remote.retry.max_count", hasEffect: false, type: int(15, { min: 0 }) },
  { name: "script.painless.regex.enabled", hasEffect: false, type: text("limited") },
  { name: "script.painless.regex.limit-factor", hasEffect: false, type: int(6, { min: 1 }) },
  { name: "transport.netty.boss_count", hasEffect: false, type: int(1, { min: 1 }) },
  { name: "transport.netty.receive_predictor_max", hasEffect: false, type: bytes("64kb") },
  { name: "transport.netty.receive_predictor_min", hasEffect: false, type: bytes("64kb") },
  { name: "transport.netty.receive_predictor_size", hasEffect: false, type: bytes("64kb") },
  { name: "transport.netty.worker_count", hasEffect: false, type: int(2, { min: 1 }) },
  // Settings of Orrery itself.
  { name: "node.shard_workers", hasEffect: true, type: int(1, { min: 0 }) },
  { name: "orrery.seed", hasEffect: true, type: text("") },
  {
    name: "orrery.shard_worker.stall_timeout",
    hasEffect: true,
    type: duration("30s", { min: "-1" }),
  },
  { name: "orrery.strict", hasEffect: true, type: boolean(false) },
];
