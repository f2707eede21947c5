/** Counters of the process and its machine: real values under the product's names. */
import type { NodeStatsFacts } from "@orrery/node";
import { formatByteSize, lookup } from "@orrery/stdx";
import { javaDouble, type PrintableObject } from "../json/printable.ts";

/** A number of `ProcessStats` by name, rounded to an integer; 0 when it is unknown. */
export function processNumber(facts: NodeStatsFacts, name: string): number {
  const value = lookup(facts.process, name);
  return typeof value === "number" && Number.isFinite(value) ? Math.round(value) : 0;
}

/** Percentage, rounded to an integer; 0 when the whole is 0 or unknown. */
export function percentOf(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round((part / whole) * 100);
}

function load(facts: NodeStatsFacts, index: number): number {
  const average = facts.process["loadAverage"];
  const value = Array.isArray(average) ? (average as readonly number[])[index] : undefined;
  return value === undefined ? 0 : Math.round(value * 100) / 100;
}

export function loadAverages(facts: NodeStatsFacts): readonly [number, number, number] {
  return [load(facts, 0), load(facts, 1), load(facts, 2)];
}

/** Section `os`. */
export function osStats(facts: NodeStatsFacts): PrintableObject {
  const total = processNumber(facts, "systemMemoryTotalBytes");
  const free = processNumber(facts, "systemMemoryFreeBytes");
  const swapTotal = processNumber(facts, "swapTotalBytes");
  const swapFree = processNumber(facts, "swapFreeBytes");
  const [one, five, fifteen] = loadAverages(facts);
  const freePercent = percentOf(free, total);
  return {
    timestamp: facts.timestampMs,
    cpu: {
      percent: processNumber(facts, "systemCpuPercent"),
      load_average: { "1m": javaDouble(one), "5m": javaDouble(five), "15m": javaDouble(fifteen) },
    },
    mem: {
      total_in_bytes: total,
      free_in_bytes: free,
      used_in_bytes: total - free,
      free_percent: freePercent,
      used_percent: 100 - freePercent,
    },
    swap: {
      total_in_bytes: swapTotal,
      free_in_bytes: swapFree,
      used_in_bytes: swapTotal - swapFree,
    },
  };
}

/** Section `process`. */
export function processStats(facts: NodeStatsFacts): PrintableObject {
  return {
    timestamp: facts.timestampMs,
    open_file_descriptors: processNumber(facts, "openFileDescriptors"),
    max_file_descriptors: processNumber(facts, "maxFileDescriptors"),
    cpu: {
      percent: processNumber(facts, "cpuPercent"),
      total_in_millis: processNumber(facts, "cpuTotalMs"),
    },
    mem: { total_virtual_in_bytes: processNumber(facts, "residentBytes") },
  };
}

/** Section `jvm`, filled with values of the JavaScript heap, which has no young and old pools. */
export function runtimeStats(facts: NodeStatsFacts): PrintableObject {
  const used = processNumber(facts, "heapUsedBytes");
  const max = processNumber(facts, "heapMaxBytes");
  const external = processNumber(facts, "externalBytes");
  const collector = { collection_count: 0, collection_time_in_millis: 0 };
  const buffers = { count: 0, used_in_bytes: 0, total_capacity_in_bytes: 0 };
  return {
    timestamp: facts.timestampMs,
    uptime_in_millis: processNumber(facts, "uptimeMs"),
    mem: {
      heap_used_in_bytes: used,
      heap_used_percent: percentOf(used, max),
      heap_committed_in_bytes: processNumber(facts, "heapCommittedBytes"),
      heap_max_in_bytes: max,
      non_heap_used_in_bytes: external,
      non_heap_committed_in_bytes: external,
      pools: {},
    },
    threads: { count: 1, peak_count: 1 },
    gc: { collectors: { young: collector, old: collector } },
    buffer_pools: { mapped: buffers, direct: buffers, "mapped - 'non-volatile memory'": buffers },
    classes: { current_loaded_count: 0, total_loaded_count: 0, total_unloaded_count: 0 },
  };
}

/** Section `fs`: the disk of the data path. */
export function fsStats(facts: NodeStatsFacts): PrintableObject {
  const { disk } = facts;
  const total = {
    total_in_bytes: disk?.totalBytes ?? 0,
    free_in_bytes: disk?.freeBytes ?? 0,
    available_in_bytes: disk?.availableBytes ?? 0,
    cache_reserved_in_bytes: 0,
  };
  const data =
    disk === undefined ? [] : [{ path: disk.path, mount: disk.mount, type: disk.type, ...total }];
  return { timestamp: facts.timestampMs, total, data, io_stats: {} };
}

/**
 * Circuit breakers: limits derived from the heap as in the product. Of the estimated sizes only that of `parent` is
 * measured; the others, and the trips, are 0.
 */
export function breakers(facts: NodeStatsFacts): PrintableObject {
  const heap = processNumber(facts, "heapMaxBytes");
  return {
    request: breaker(Math.floor(heap * 0.6), 0, 1),
    fielddata: breaker(Math.floor(heap * 0.4), 0, 1.03),
    in_flight_requests: breaker(heap, 0, 2),
    parent: breaker(Math.floor(heap * 0.95), processNumber(facts, "heapUsedBytes"), 1),
  };
}

function breaker(limit: number, estimated: number, overhead: number): PrintableObject {
  return {
    limit_size_in_bytes: limit,
    limit_size: formatByteSize(limit),
    estimated_size_in_bytes: estimated,
    estimated_size: formatByteSize(estimated),
    overhead: javaDouble(overhead),
    tripped: 0,
  };
}
