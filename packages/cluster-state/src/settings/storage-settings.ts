/** Settings of storage: gateway, data paths, repositories and snapshots, segment replication, tiers. Source: `ClusterSettings` of 3.8.0. */
import { boolean, bytes, double, duration, int, list, text } from "./setting-type.ts";
import type { SettingRow } from "./setting.ts";

export const storageRows: readonly SettingRow[] = [
  { name: "gateway.auto_import_dangling_indices", type: boolean(false), isDeprecated: true },
  { name: "gateway.expected_data_nodes", type: int(-1, { min: -1 }) },
  { name: "gateway.recover_after_data_nodes", type: int(-1, { min: -1 }) },
  { name: "gateway.recover_after_time", type: duration("0ms", { min: "0ms" }) },
  {
    name: "gateway.slow_write_logging_threshold",
    type: duration("10s", { min: "0ms" }),
    isDynamic: true,
  },
  { name: "gateway.write_dangling_indices_info", type: boolean(true) },
  { name: "path.data", type: list([]) },
  { name: "path.home", type: text("") },
  { name: "path.logs", type: text("") },
  { name: "path.repo", type: list([]) },
  { name: "path.shared_data", type: text("") },
  { name: "remote_store.moving_average_window_size", type: int(20, { min: 5 }), isDynamic: true },
  {
    name: "remote_store.segment.pressure.bytes_lag.variance_factor",
    type: double("10.0", { min: "1.0" }),
    isDynamic: true,
  },
  {
    name: "remote_store.segment.pressure.consecutive_failures.limit",
    type: int(5, { min: 1 }),
    isDynamic: true,
  },
  { name: "remote_store.segment.pressure.enabled", type: boolean(true), isDynamic: true },
  {
    name: "remote_store.segment.pressure.time_lag.variance_factor",
    type: double("10.0", { min: "1.0" }),
    isDynamic: true,
  },
  { name: "repositories.fs.chunk_size", type: bytes("9223372036854775807b", { min: "5b" }) },
  { name: "repositories.fs.compress", type: boolean(false), isDeprecated: true },
  { name: "repositories.fs.location", type: text("") },
  { name: "repositories.url.allowed_urls", type: list([]) },
  {
    name: "repositories.url.supported_protocols",
    type: list(["http", "https", "ftp", "file", "jar"]),
  },
  { name: "repositories.url.url", type: text("http://?") },
  { name: "segrep.pressure.checkpoint.limit", type: int(30, { min: 1 }), isDynamic: true },
  { name: "segrep.pressure.enabled", type: boolean(false), isDynamic: true },
  {
    name: "segrep.pressure.replica.stale.limit",
    type: double("0.5", { min: "0.0", max: "1.0" }),
    isDynamic: true,
  },
  { name: "segrep.pressure.time.limit", type: duration("5m", { min: "0ms" }), isDynamic: true },
  { name: "segrep.replication.time.limit", type: duration("0m", { min: "0ms" }), isDynamic: true },
  { name: "snapshot.delete.cleanup_stale_blobs", type: boolean(true), isDynamic: true },
  { name: "snapshot.max_concurrent_operations", type: int(1000, { min: 1 }), isDynamic: true },
  {
    name: "snapshot.max_shards_allowed_in_status_api",
    type: int(200_000, { min: 1 }),
    isDynamic: true,
  },
  { name: "snapshot.repository.io_timeout", type: duration("30m"), isDynamic: true },
  { name: "snapshot.repository.max_outstanding_ops", type: int(4, { min: 1 }), isDynamic: true },
  { name: "snapshot.repository_data.cache.threshold", type: bytes("31604080b") },
  {
    name: "tiering.prepare.replica_sync_timeout",
    type: duration("30s", { min: "5s", max: "5m" }),
    isDynamic: true,
  },
  {
    name: "tiering.service.prefetch.read_ahead.block_count",
    type: int(4, { min: 0 }),
    isDynamic: true,
  },
  { name: "tiering.service.prefetch.stored_fields.enabled", type: boolean(true), isDynamic: true },
];
