/** Information about a node in the product's sections (`nodes.info`). */
import { nestSettings, type DiscoveryNode } from "@orrery/cluster-state";
import type { nodeInfoMetrics, NodeInfoFacts } from "@orrery/node";
import { compareText, lookup, setKey } from "@orrery/stdx";
import type { PrintableObject } from "../json/printable.ts";
import { buildHash, buildType, bundledRuntime, version } from "../product.ts";
import { rolesOf } from "./identity.ts";
import { threadPoolInfo } from "./thread-pools.ts";

type CoreMetric = (typeof nodeInfoMetrics)[number];

/** Selection of sections, and flat or nested settings. */
export interface InfoView {
  /** Names of the requested sections, of the core and of plugins. */
  readonly wanted: ReadonlySet<string>;
  /** Names of the sections that plugins add, in their order. */
  readonly added: readonly string[];
  readonly isFlat: boolean;
  /** `orrery.strict`. */
  readonly isStrict: boolean;
}

/** Information about one node. */
export function nodeInfoJson(
  node: DiscoveryNode,
  facts: NodeInfoFacts,
  { wanted, added, isFlat, isStrict }: InfoView,
): PrintableObject {
  const has = (metric: CoreMetric): boolean => wanted.has(metric);
  return {
    name: node.name,
    transport_address: node.transportAddress,
    host: node.hostName,
    ip: node.hostAddress,
    version,
    build_type: buildType,
    build_hash: buildHash,
    total_indexing_buffer_in_bytes: has("indices")
      ? Math.floor(facts.process.heapMaxBytes / 10)
      : undefined,
    roles: rolesOf(node),
    attributes: node.attributes,
    settings: has("settings") ? settingsOf(facts, isFlat, isStrict) : undefined,
    os: has("os") ? osInfo(facts) : undefined,
    process: has("process")
      ? { refresh_interval_in_millis: 1000, id: facts.process.pid, mlockall: false }
      : undefined,
    jvm: has("jvm") ? runtimeInfo(facts, isStrict) : undefined,
    thread_pool: has("thread_pool")
      ? threadPoolInfo(facts.process.os.availableProcessors, facts.settings)
      : undefined,
    transport: has("transport") ? transportInfo(node, facts) : undefined,
    http:
      has("http") && node.httpAddress !== undefined ? httpInfo(node.httpAddress, facts) : undefined,
    plugins: has("plugins") ? facts.plugins.map(pluginInfo) : undefined,
    modules: has("plugins") ? [] : undefined,
    ingest: has("ingest") ? { processors: [] } : undefined,
    aggregations: has("aggregations") ? aggregations : undefined,
    search_pipelines: has("search_pipelines")
      ? { phase_results_processors: [], request_processors: [], response_processors: [] }
      : undefined,
    ...addedSections(
      facts,
      added.filter((name) => wanted.has(name)),
    ),
  };
}

function addedSections({ sections }: NodeInfoFacts, names: readonly string[]): PrintableObject {
  const body: Record<string, PrintableObject[string]> = {};
  for (const name of names) setKey(body, name, lookup(sections, name));
  return body;
}

function settingsOf(facts: NodeInfoFacts, isFlat: boolean, isStrict: boolean): PrintableObject {
  const settings = isStrict ? facts.settings : withSeedsAsText(facts.settings);
  if (!isFlat) return nestSettings(settings);
  return Object.fromEntries(Object.entries(settings).toSorted(([a], [b]) => compareText(a, b)));
}

/** Seed hosts as one text, as the product has them from the environment of its image; typed clients reject a list. */
function withSeedsAsText(settings: NodeInfoFacts["settings"]): NodeInfoFacts["settings"] {
  const seeds = settings["discovery.seed_hosts"];
  if (!Array.isArray(seeds)) return settings;
  return { ...settings, "discovery.seed_hosts": seeds.join(",") };
}

function osInfo({ process: { os } }: NodeInfoFacts): PrintableObject {
  return {
    refresh_interval_in_millis: 1000,
    name: os.name,
    pretty_name: os.prettyName,
    arch: os.arch,
    version: os.version,
    available_processors: os.availableProcessors,
    allocated_processors: os.availableProcessors,
  };
}

/** Section `jvm`, filled with values of the JavaScript engine. */
function runtimeInfo({ process }: NodeInfoFacts, isStrict: boolean): PrintableObject {
  return {
    pid: process.pid,
    version: process.runtime.version,
    vm_name: process.runtime.name,
    vm_version: process.runtime.version,
    vm_vendor: process.runtime.vendor,
    ...bundledRuntime(isStrict),
    start_time_in_millis: process.startedAtMs,
    mem: {
      heap_init_in_bytes: 0,
      heap_max_in_bytes: process.heapMaxBytes,
      non_heap_init_in_bytes: 0,
      non_heap_max_in_bytes: 0,
      direct_max_in_bytes: 0,
    },
    gc_collectors: [],
    memory_pools: [],
    using_compressed_ordinary_object_pointers: "unknown",
    input_arguments: [],
  };
}

function transportInfo(
  { transportAddress, hostName, hostAddress }: DiscoveryNode,
  { boundAddresses }: NodeInfoFacts,
): PrintableObject {
  // A node that listens on no socket has a name as its transport address, and shows no other.
  const bound = boundAddresses?.transport;
  const isNamed = bound !== undefined && hostName !== hostAddress;
  return {
    bound_address: bound ?? [transportAddress],
    publish_address: isNamed ? `${hostName}/${transportAddress}` : transportAddress,
    profiles: {},
  };
}

function httpInfo(address: string, facts: NodeInfoFacts): PrintableObject {
  return {
    bound_address: facts.boundAddresses?.http ?? [address],
    publish_address: address,
    max_content_length_in_bytes: facts.maxContentLengthBytes,
  };
}

/** A plugin, as answers about nodes describe it. */
export function pluginInfo(plugin: NodeInfoFacts["plugins"][number]): PrintableObject {
  return {
    name: plugin.name,
    version: plugin.version,
    opensearch_version: version,
    java_version: "",
    description: plugin.description,
    classname: plugin.classname,
    custom_foldername: null,
    extended_plugins: [],
    has_native_controller: false,
    optional_extended_plugins: [],
  };
}

const numbers = { types: ["boolean", "date", "numeric"] };
const anything = { types: ["boolean", "bytes", "date", "geopoint", "ip", "numeric", "range"] };

/** Aggregations that a search accepts, each with the types of values that it supports. */
const aggregations: PrintableObject = {
  avg: numbers,
  cardinality: anything,
  date_histogram: numbers,
  filter: { types: ["other"] },
  filters: { types: ["other"] },
  histogram: numbers,
  max: numbers,
  min: numbers,
  range: numbers,
  stats: numbers,
  sum: numbers,
  terms: { types: ["boolean", "bytes", "date", "ip", "numeric"] },
  value_count: anything,
};
