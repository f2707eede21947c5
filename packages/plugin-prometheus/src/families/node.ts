/** Figures of one node, out of its body in `_nodes/stats`. */
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import { at, figure, objectAt, sampleOf, seconds, type Labels, type Row } from "../family.ts";
import { shardRows } from "./shards.ts";

const ROLES = ["cluster_manager", "data", "ingest", "remote_cluster_client", "search", "warm"];

const roles: Row = {
  name: "node_role_bool",
  help: "Node role",
  read: (body) => {
    const held = at(body, "roles");
    if (!Array.isArray(held)) return [];
    return ROLES.map((role) => ({ labels: { role }, value: held.includes(role) ? 1 : 0 }));
  },
};

/** A row with samples for each member of an object: the member's name, and the number at a path in it. */
function each(
  head: { readonly name: string; readonly help: string; readonly under: string },
  labelsOf: (member: string) => readonly (readonly [labels: Labels, path: string])[],
): Row {
  const { name, help, under } = head;
  return {
    name,
    help,
    read: (body) =>
      Object.entries(objectAt(body, under)).flatMap(([member, value]) =>
        isJsonObject(value)
          ? labelsOf(member).flatMap(([labels, path]) => sampleOf(labels, at(value, path)))
          : [],
      ),
  };
}

/** Thread pools with admission of requests; the product's other pools do not exist. */
const POOLS = new Set(["get", "search", "write"]);

function pools(name: string, help: string, types: Readonly<Record<string, string>>): Row {
  return each({ name, help, under: "thread_pool" }, (pool) =>
    POOLS.has(pool)
      ? Object.entries(types).map(([type, path]) => [{ name: pool, type }, path] as const)
      : [],
  );
}

function breakers(name: string, help: string, path: string, only?: string): Row {
  return each({ name, help, under: "breakers" }, (breaker) =>
    only === undefined || only === breaker ? [[{ name: breaker }, path]] : [],
  );
}

/** A figure of each data path. */
function paths(name: string, help: string, figureOf: string): Row {
  return {
    name,
    help,
    read: (body) => {
      const data = at(body, "fs.data");
      if (!Array.isArray(data)) return [];
      return data.flatMap((one: Json) => (isJsonObject(one) ? pathSample(one, figureOf) : []));
    },
  };
}

function pathSample(data: JsonObject, figureOf: string) {
  const labels = {
    path: String(at(data, "path") ?? ""),
    mount: String(at(data, "mount") ?? ""),
    type: String(at(data, "type") ?? ""),
  };
  return sampleOf(labels, at(data, figureOf));
}

/** The sections of copies are below `indices` in the body of a node. */
const copies: readonly Row[] = shardRows("indices").map((row) => ({
  ...row,
  read: (body) => row.read(objectAt(body, "indices")),
}));

export const nodeRows: readonly Row[] = [
  roles,
  ...copies,

  pools("threadpool_threads_number", "Number of threads in thread pool", {
    threads: "threads",
    active: "active",
    largest: "largest",
  }),
  pools("threadpool_threads_count", "Count of threads in thread pool", {
    completed: "completed",
    rejected: "rejected",
  }),
  pools("threadpool_tasks_number", "Number of tasks in thread pool", { queue: "queue" }),

  figure("transport_server_open_number", "Opened server connections", "transport.server_open"),
  figure(
    "transport_outbound_connections_count",
    "Total outbound connections",
    "transport.total_outbound_connections",
  ),
  figure("transport_rx_packets_count", "Received packets", "transport.rx_count"),
  figure("transport_tx_packets_count", "Sent packets", "transport.tx_count"),
  figure("transport_rx_bytes_count", "Bytes received", "transport.rx_size_in_bytes"),
  figure("transport_tx_bytes_count", "Bytes sent", "transport.tx_size_in_bytes"),
  figure("http_open_server_number", "Number of open server connections", "http.current_open"),
  figure("http_open_total_count", "Count of opened connections", "http.total_opened"),

  breakers(
    "circuitbreaker_estimated_bytes",
    "Circuit breaker estimated size",
    "estimated_size_in_bytes",
    "parent",
  ),
  breakers("circuitbreaker_limit_bytes", "Circuit breaker size limit", "limit_size_in_bytes"),
  breakers("circuitbreaker_overhead_ratio", "Circuit breaker overhead ratio", "overhead"),

  figure("process_cpu_percent", "CPU percentage used by OpenSearch process", "process.cpu.percent"),
  seconds(
    "process_cpu_time_seconds",
    "CPU time used by OpenSearch process",
    "process.cpu.total_in_millis",
  ),
  figure(
    "process_mem_total_virtual_bytes",
    "Memory used by OpenSearch process",
    "process.mem.total_virtual_in_bytes",
  ),
  figure(
    "process_file_descriptors_open_number",
    "Open file descriptors",
    "process.open_file_descriptors",
  ),
  figure(
    "process_file_descriptors_max_number",
    "Max file descriptors",
    "process.max_file_descriptors",
  ),

  seconds("jvm_uptime_seconds", "JVM uptime", "jvm.uptime_in_millis"),
  figure("jvm_mem_heap_max_bytes", "Maximum used memory in heap", "jvm.mem.heap_max_in_bytes"),
  figure("jvm_mem_heap_used_bytes", "Memory used in heap", "jvm.mem.heap_used_in_bytes"),
  figure(
    "jvm_mem_heap_used_percent",
    "Percentage of memory used in heap",
    "jvm.mem.heap_used_percent",
  ),
  figure(
    "jvm_mem_heap_committed_bytes",
    "Committed bytes in heap",
    "jvm.mem.heap_committed_in_bytes",
  ),
  figure(
    "jvm_mem_nonheap_used_bytes",
    "Memory used apart from heap",
    "jvm.mem.non_heap_used_in_bytes",
  ),
  figure(
    "jvm_mem_nonheap_committed_bytes",
    "Committed bytes apart from heap",
    "jvm.mem.non_heap_committed_in_bytes",
  ),

  figure("os_cpu_percent", "CPU usage in percent", "os.cpu.percent"),
  figure("os_load_average_one_minute", "CPU load", "os.cpu.load_average.1m"),
  figure("os_load_average_five_minutes", "CPU load", "os.cpu.load_average.5m"),
  figure("os_load_average_fifteen_minutes", "CPU load", "os.cpu.load_average.15m"),
  figure("os_mem_free_bytes", "Memory free", "os.mem.free_in_bytes"),
  figure("os_mem_free_percent", "Memory free in percent", "os.mem.free_percent"),
  figure("os_mem_used_bytes", "Memory used", "os.mem.used_in_bytes"),
  figure("os_mem_used_percent", "Memory used in percent", "os.mem.used_percent"),
  figure("os_mem_total_bytes", "Total memory size", "os.mem.total_in_bytes"),
  figure("os_swap_free_bytes", "Swap free", "os.swap.free_in_bytes"),
  figure("os_swap_used_bytes", "Swap used", "os.swap.used_in_bytes"),
  figure("os_swap_total_bytes", "Total swap size", "os.swap.total_in_bytes"),

  figure(
    "fs_total_total_bytes",
    "Total disk space for all mount points",
    "fs.total.total_in_bytes",
  ),
  figure(
    "fs_total_available_bytes",
    "Available disk space for all mount points",
    "fs.total.available_in_bytes",
  ),
  figure("fs_total_free_bytes", "Free disk space for all mountpoints", "fs.total.free_in_bytes"),
  paths("fs_path_total_bytes", "Total disk space", "total_in_bytes"),
  paths("fs_path_available_bytes", "Available disk space", "available_in_bytes"),
  paths("fs_path_free_bytes", "Free disk space", "free_in_bytes"),
];
