/**
 * Remote clusters (`cluster.remote.<alias>.*`) and the rules between their settings (`RemoteConnectionStrategy`,
 * `SniffConnectionStrategy`, `ProxyConnectionStrategy`).
 */
import { compareText, lookup, type Problem } from "@orrery/stdx";
import type { ClusterState, Settings } from "../types.ts";
import { clusterSetting, currentClusterSettings } from "./registry.ts";
import { settingsProblem } from "./validate.ts";

/** Settings of one remote cluster. */
export interface RemoteClusterSettings {
  readonly alias: string;
  readonly mode: "sniff" | "proxy";
  /** Addresses of the configured mode: the seeds, or the address of the proxy. */
  readonly addresses: readonly string[];
  readonly serverName: string;
  /** Number of connections, to nodes or to the proxy. */
  readonly maxConnections: number;
  readonly initialConnectTimeoutMs: number;
  readonly skipUnavailable: boolean;
}

const PREFIX = "cluster.remote.";
const ofSniff: ReadonlySet<string> = new Set(["seeds", "node_connections", "proxy"]);
const ofProxy: ReadonlySet<string> = new Set([
  "proxy_address",
  "proxy_socket_connections",
  "server_name",
]);

/** Remote clusters with an address, in order of aliases. */
export function remoteClustersOf(state: ClusterState): readonly RemoteClusterSettings[] {
  return aliasesOf(currentClusterSettings(state)).flatMap((alias) => {
    const remote = remoteCluster(state, alias);
    return remote.addresses.length > 0 ? [remote] : [];
  });
}

function remoteCluster(state: ClusterState, alias: string): RemoteClusterSettings {
  const key = (name: string): string => `${PREFIX}${alias}.${name}`;
  const text = (name: string): string => String(clusterSetting(state, key(name)));
  const mode = modeOf(currentClusterSettings(state), alias);
  const seeds = clusterSetting(state, key("seeds"));
  const proxy = text("proxy_address");
  const addresses =
    mode === "sniff" ? (Array.isArray(seeds) ? seeds : []) : proxy === "" ? [] : [proxy];
  const most = mode === "sniff" ? "node_connections" : "proxy_socket_connections";
  return {
    alias,
    mode,
    // An empty text counts as no address.
    addresses: (addresses as readonly string[]).filter((address) => address !== ""),
    serverName: text("server_name"),
    maxConnections: Number(clusterSetting(state, key(most))),
    initialConnectTimeoutMs: Number(
      clusterSetting(state, "cluster.remote.initial_connect_timeout"),
    ),
    skipUnavailable: clusterSetting(state, key("skip_unavailable")) === true,
  };
}

/**
 * The problem of settings of remote clusters: a setting that does not fit the mode, or a cluster without an address.
 * The first problem, in order of keys, has the others in `suppressed`; undefined when there is none.
 */
export function remoteClusterProblem(state: ClusterState): Problem | undefined {
  const settings = currentClusterSettings(state);
  const keys = Object.keys(settings).toSorted(compareText);
  const [first, ...others] = keys.flatMap((key) => problemWith(state, key) ?? []);
  if (first === undefined || others.length === 0) return first;
  return { ...first, suppressed: others };
}

function problemWith(state: ClusterState, key: string): Problem | undefined {
  const settings = currentClusterSettings(state);
  const named = aliasAndName(key);
  if (named === undefined) return undefined;
  const { alias, name } = named;
  const seeds = `${PREFIX}${alias}.seeds`;
  if (name === "proxy" && lookup(settings, seeds) === undefined) {
    return settingsProblem(`missing required setting [${seeds}] for setting [${key}]`);
  }
  const mode = modeOf(settings, alias);
  const required = ofSniff.has(name) ? "sniff" : ofProxy.has(name) ? "proxy" : mode;
  if (required !== mode) {
    return illegal(
      `Setting "${key}" cannot be used with the configured "${PREFIX}${alias}.mode" [required=${required.toUpperCase()}, configured=${mode.toUpperCase()}]`,
    );
  }
  if (name !== "skip_unavailable" && !name.startsWith("transport.")) return undefined;
  if (remoteCluster(state, alias).addresses.length > 0) return undefined;
  return illegal(`Cannot configure setting [${key}] if remote cluster is not enabled.`);
}

function modeOf(settings: Settings, alias: string): "sniff" | "proxy" {
  const mode = String(lookup(settings, `${PREFIX}${alias}.mode`) ?? "sniff").toLowerCase();
  return mode === "proxy" ? "proxy" : "sniff";
}

function aliasesOf(settings: Settings): readonly string[] {
  const aliases = Object.keys(settings).flatMap((key) => aliasAndName(key)?.alias ?? []);
  return [...new Set(aliases)].toSorted(compareText);
}

/** Alias and name of the setting; undefined for keys without an alias, such as `cluster.remote.initial_connect_timeout`. */
function aliasAndName(key: string): { alias: string; name: string } | undefined {
  if (!key.startsWith(PREFIX)) return undefined;
  const rest = key.slice(PREFIX.length);
  const dot = rest.indexOf(".");
  if (dot <= 0 || rest === "node.attr") return undefined;
  return { alias: rest.slice(0, dot), name: rest.slice(dot + 1) };
}

function illegal(reason: string): Problem {
  return { type: "illegal_argument_exception", reason, status: 400 };
}
