/** The configuration of a node at its start: names, and settings as flat text, as `-E key=value` gives them. */
import type { NodeRole, Settings } from "@orrery/cluster-state";
import {
  byteSizeOf,
  illegalArgument,
  lookup,
  OperationError,
  parseByteSize,
  setKey,
} from "@orrery/stdx";

/** Addresses on which a node listens for clients and for other nodes; in memory it has none for nodes. */
export interface BoundAddresses {
  readonly http: readonly string[];
  readonly transport?: readonly string[];
}

export interface NodeConfig {
  readonly name: string;
  readonly clusterName: string;
  /**
   * `host:port` under which the HTTP server is published, after the host name and a slash if it has one; `undefined`
   * without a server.
   */
  readonly httpAddress: string | undefined;
  /** IP address of the machine as other nodes show it; its name follows. */
  readonly hostAddress: string;
  readonly hostName: string;
  /** Addresses on which it listens, as `host:port`; without them those under which it is published. */
  readonly boundAddresses?: BoundAddresses;
  /** All other settings: `discovery.seed_hosts`, `node.attr.zone`, `cluster.*`, `orrery.*`, … */
  readonly settings: Settings;
}

/** The version that this program reports. */
export const productVersion = "3.8.0";

const DEFAULT_ROLES: readonly NodeRole[] = [
  "cluster_manager",
  "data",
  "ingest",
  "remote_cluster_client",
];
const ALL_ROLES: ReadonlySet<string> = new Set([...DEFAULT_ROLES, "search", "warm"]);

/** A setting as a list, whether it was given as one or as comma-separated text; empty when absent. */
export function listSetting(settings: Settings, key: string): readonly string[] {
  const value = lookup(settings, key);
  if (value === undefined) return [];
  if (typeof value !== "string") return value;
  return value.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
}

/** A setting as text, a list joined with commas; `undefined` when absent. */
export function textSetting(settings: Settings, key: string): string | undefined {
  const value = lookup(settings, key);
  return value === undefined || typeof value === "string" ? value : value.join(",");
}

/**
 * `http.max_content_length` in bytes.
 * @throws OperationError It is no size, or outside of 0 to 2 GiB.
 */
export function maxContentLengthOf(settings: Settings): number {
  const key = "http.max_content_length";
  const given = textSetting(settings, key);
  if (given === undefined) return 100 * 1024 * 1024;
  const bytes = parseByteSize(given);
  if (bytes === undefined) {
    const reason = `failed to parse setting [${key}] with value [${given}] as a size in bytes: unit is missing or unrecognized`;
    throw new OperationError({ type: "parse_exception", reason, status: 400 });
  }
  if (bytes >= 0 && bytes < 2 ** 31) return bytes;
  const bound = bytes < 0 ? "must be >= [0b]" : "must be <= [2147483647b]";
  throw illegalArgument(`failed to parse value [${given}] for setting [${key}], ${bound}`);
}

/** The limit of the circuit breaker `in_flight_requests`. */
export interface InFlightLimit {
  readonly limitBytes: number;
  /** Factor by which bytes are counted. */
  readonly overhead: number;
}

/**
 * The limit of bodies and answers under way: `network.breaker.inflight_requests.limit` and `.overhead`. A negative
 * limit is none.
 */
export function inFlightLimitOf(settings: Settings, heapBytes: number): InFlightLimit {
  const key = "network.breaker.inflight_requests";
  const limitBytes = memorySizeOf(settings, `${key}.limit`, heapBytes) ?? heapBytes;
  const overhead = Number(textSetting(settings, `${key}.overhead`) ?? 2);
  return { limitBytes: limitBytes < 0 ? Infinity : limitBytes, overhead };
}

/** The limit of writes that the node coordinates: `indexing_pressure.memory.limit`, a tenth of the heap by default. */
export function indexingLimitOf(settings: Settings, heapBytes: number): number {
  const given = memorySizeOf(settings, "indexing_pressure.memory.limit", heapBytes);
  return given ?? Math.floor(heapBytes / 10);
}

/** Bytes, or a percentage of the heap (`MemorySizeValue`). */
function memorySizeOf(settings: Settings, key: string, heapBytes: number): number | undefined {
  const given = textSetting(settings, key);
  if (given === undefined) return undefined;
  return given.endsWith("%")
    ? Math.floor((Number(given.slice(0, -1)) / 100) * heapBytes)
    : byteSizeOf(key, given);
}

/**
 * The roles of the node; the older name of `cluster_manager` is accepted.
 * @throws OperationError A role is unknown.
 */
export function rolesOf(settings: Settings): readonly NodeRole[] {
  if (settings["node.roles"] === undefined) return DEFAULT_ROLES;
  const names = listSetting(settings, "node.roles").map((name) =>
    name === "master" ? "cluster_manager" : name,
  );
  const unknown = names.find((name) => !ALL_ROLES.has(name));
  if (unknown !== undefined) throw illegalArgument(`unknown role [${unknown}]`);
  return names as NodeRole[];
}

/** `node.attr.*`, without the prefix, and the attribute that the product adds. */
export function attributesOf(settings: Settings): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const key of Object.keys(settings)) {
    if (key.startsWith("node.attr."))
      setKey(attributes, key.slice("node.attr.".length), textSetting(settings, key) ?? "");
  }
  attributes["shard_indexing_pressure_enabled"] = "true";
  return attributes;
}
