/**
 * The product's thread pools, with their sizes for a number of processors. Source: `ThreadPool`.
 *
 * Nodes here have no such pools, but clients and dashboards read them; admission of work reports under these names
 * (`packages/node/src/thread-pools.ts`).
 */
import { lookup } from "@orrery/stdx";
import type { PrintableObject } from "../json/printable.ts";

/** Type and limits of a pool; a `queueSize` of -1 is unbounded. */
export interface PoolShape {
  readonly type: "fixed" | "scaling" | "resizable";
  /** Size of a fixed or resizable pool; maximum size of a scaling pool. */
  readonly size: number;
  readonly core: number;
  readonly keepAlive: string;
  readonly queueSize: number;
}

function fixed(size: number, queueSize: number): PoolShape {
  return { type: "fixed", size, core: size, keepAlive: "", queueSize };
}

function resizable(size: number, queueSize: number): PoolShape {
  return { type: "resizable", size, core: size, keepAlive: "", queueSize };
}

function scaling(size: number, core = 1, keepAlive = "5m"): PoolShape {
  return { type: "scaling", size, core, keepAlive, queueSize: -1 };
}

function bounded(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** Pools by name, in the alphabetical order of statistics. */
export function threadPools(processors: number): ReadonlyMap<string, PoolShape> {
  const half = Math.floor((processors + 1) / 2);
  const halfUpTo5 = bounded(half, 1, 5);
  const halfUpTo10 = bounded(half, 1, 10);
  const twice = 2 * processors;
  const search = Math.floor((processors * 3) / 2) + 1;
  return new Map([
    ["analyze", fixed(1, 16)],
    ["fetch_shard_started", scaling(twice)],
    ["fetch_shard_store", scaling(twice)],
    ["flush", scaling(halfUpTo5)],
    ["force_merge", fixed(Math.max(1, Math.floor(processors / 8)), -1)],
    ["generic", scaling(bounded(4 * processors, 128, 512), 4, "30s")],
    ["get", fixed(processors, 1000)],
    ["index_searcher", resizable(twice, 1000)],
    ["listener", fixed(halfUpTo10, -1)],
    ["management", scaling(bounded(processors, 5, 5))],
    ["merge", scaling(processors)],
    ["refresh", scaling(halfUpTo10)],
    ["remote_download", scaling(twice)],
    ["remote_purge", scaling(halfUpTo5)],
    ["remote_recovery", scaling(twice)],
    ["remote_refresh_retry", scaling(halfUpTo10)],
    ["remote_state_checksum", fixed(11, 1000)],
    ["remote_state_read", fixed(bounded(4 * processors, 4, 32), 120_000)],
    ["search", resizable(search, 1000)],
    ["search_throttled", resizable(1, 100)],
    ["snapshot", scaling(halfUpTo5)],
    ["snapshot_deletion", scaling(bounded(4 * processors, 64, 256))],
    ["stream_search", resizable(search, 1000)],
    ["system_read", fixed(halfUpTo5, 2000)],
    ["system_write", fixed(halfUpTo5, 1000)],
    ["translog_recovery", fixed(processors, -1)],
    ["translog_sync", fixed(4 * processors, 10_000)],
    ["translog_transfer", scaling(halfUpTo10)],
    ["warmer", scaling(halfUpTo5)],
    ["write", fixed(processors, 10_000)],
  ]);
}

/** Section `thread_pool`; `settings` may override `thread_pool.<name>.size` and `.queue_size`. */
export function threadPoolInfo(
  processors: number,
  settings: Readonly<Record<string, string | readonly string[]>>,
): PrintableObject {
  const given = (key: string, otherwise: number): number =>
    lookup(settings, key) === undefined ? otherwise : Number(lookup(settings, key));
  const entries = [...threadPools(processors)].map(([name, pool]) => {
    const size = given(`thread_pool.${name}.size`, pool.size);
    const queueSize = given(`thread_pool.${name}.queue_size`, pool.queueSize);
    return [name, poolInfo({ ...pool, size, queueSize })];
  });
  return Object.fromEntries(entries) as PrintableObject;
}

function poolInfo(pool: PoolShape): PrintableObject {
  if (pool.type !== "scaling")
    return { type: pool.type, size: pool.size, queue_size: pool.queueSize };
  return {
    type: pool.type,
    core: pool.core,
    max: pool.size,
    keep_alive: pool.keepAlive,
    queue_size: -1,
  };
}
