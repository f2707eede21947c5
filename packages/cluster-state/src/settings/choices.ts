/** Checks of text settings with a restricted set of values; each rejects others in the product's words for that setting. */
import { illegalArgument, type OperationError, type Problem } from "@orrery/stdx";
import { parseRate } from "./compilation-rate.ts";
import { parseBytes } from "./parse-value.ts";

type Check = (value: string, key: string) => void;

/** A rate, or a word in its place. */
function compilationRate(word: string): Check {
  return (value, key) => {
    if (value !== word) parseRate(value, key);
  };
}

const allocation = ["ALL", "PRIMARIES", "NEW_PRIMARIES", "NONE"];
const rebalance = ["ALL", "PRIMARIES", "REPLICAS", "NONE"];
const slowLogLevels = ["TRACE", "DEBUG", "INFO", "WARN"];
const logLevels = ["OFF", "FATAL", "ERROR", "WARN", "INFO", "DEBUG", "TRACE", "ALL"];
const priorities = ["IMMEDIATE", "URGENT", "HIGH", "NORMAL", "LOW", "LANGUID"];
const noManagerBlocks = ["all", "write", "metadata_write"];
const mergePolicies = ["tiered", "log_byte_size", "default"];

/** Checks by key of the setting, which is a family's prefix when it ends with a dot. */
export const choices: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["cluster.name", clusterName],
  ["cluster.routing.allocation.enable", upper(allocation, "Illegal allocation.enable value [V]")],
  ["index.routing.allocation.enable", upper(allocation, "Illegal allocation.enable value [V]")],
  ["cluster.routing.rebalance.enable", upper(rebalance, "Illegal rebalance.enable value [V]")],
  ["index.routing.rebalance.enable", upper(rebalance, "Illegal rebalance.enable value [V]")],
  [
    "cluster.routing.allocation.shard_movement_strategy",
    upper(
      ["PRIMARY_FIRST", "REPLICA_FIRST", "NO_PREFERENCE"],
      "Illegal allocation.shard_movement_strategy value [V]",
    ),
  ],
  ...["index", "cluster"].flatMap((scope) =>
    ["include", "exclude", "require"].map(
      (kind) => [`${scope}.routing.allocation.${kind}.`, addresses] as const,
    ),
  ),
  ["cluster.routing.allocation.allow_rebalance", allowRebalance],
  ["cluster.routing.allocation.disk.watermark.low", watermark],
  ["cluster.routing.allocation.disk.watermark.high", watermark],
  ["cluster.routing.allocation.disk.watermark.flood_stage", watermark],
  ["cluster.no_cluster_manager_block", noManagerBlock],
  ["cluster.no_master_block", noManagerBlock],
  [
    "cluster.routing.allocation.balanced_shards_allocator.schedule_reroute.priority",
    enumConstant(priorities, "org.opensearch.common.Priority"),
  ],
  [
    "cluster.routing.allocation.shard_state.reroute.priority",
    enumConstant(priorities, "org.opensearch.common.Priority"),
  ],
  ["cluster.persistent_tasks.allocation.enable", persistentTasks],
  ["script.max_compilations_rate", compilationRate("use-context")],
  ["script.context.*.max_compilations_rate", compilationRate("unlimited")],
  ["cluster.indices.replication.strategy", replicationType],
  ["index.replication.type", replicationType],
  [
    "index.translog.durability",
    enumConstant(["REQUEST", "ASYNC"], "org.opensearch.index.translog.Translog.Durability"),
  ],
  [
    "cluster.remote.*.mode",
    enumConstant(
      ["SNIFF", "PROXY"],
      "org.opensearch.transport.RemoteConnectionStrategy.ConnectionStrategy",
    ),
  ],
  ["cluster.remote.*.seeds", remoteHosts],
  ["cluster.remote.*.proxy_address", remoteHosts],
  ["index.indexing.slowlog.level", slowLog()],
  ["index.search.slowlog.level", slowLog()],
  ["index.tiered.storage.slowlog.level", slowLog()],
  ["cluster.search.request.slowlog.level", slowLog()],
  ["index.auto_expand_replicas", autoExpand],
  ["index.auto_expand_search_replicas", autoExpand],
  ["index.codec", oneOf(["default", "lz4", "best_compression", "zlib"], unknownValue)],
  ["index.shard.check_on_startup", oneOf(["true", "false", "checksum"], unknownValue)],
  ["index.fielddata.cache", oneOf(["node", "none"], mustBeOneOf)],
  ["index.merge.policy", oneOf(mergePolicies, unsupportedPolicy)],
  ["indices.time_series_index.default_index_merge_policy", oneOf(mergePolicies, unsupportedPolicy)],
  ["index.search.concurrent_segment_search.mode", oneOf(["all", "none", "auto"], settingValue)],
  ["search.concurrent_segment_search.mode", oneOf(["all", "none", "auto"], settingValue)],
  ["index.store.data_locality", oneOf(["FULL", "PARTIAL"], unknownLocality)],
  ["index.store.fs.fs_lock", oneOf(["native", "simple"], unknownLock)],
  ["index.sort.order", list(["asc", "desc"], (item) => `Illegal sort order:${item}`)],
  ["index.sort.mode", list(["min", "max"], (item) => `Illegal sort mode: ${item}`)],
  ["index.sort.missing", list(["_last", "_first"], illegalMissing)],
  ["index.write.wait_for_active_shards", activeShardCount],
  [
    "index.ingestion_source.mapper_type",
    oneOf(
      ["default", "raw_payload", "field_mapping"],
      (value) =>
        `Unknown ingestion mapper type: ${value}. Valid values are: default, raw_payload, field_mapping`,
    ),
  ],
  ["index.ingestion_source.error_strategy", errorStrategy],
  ["search_backpressure.mode", lower(["disabled", "monitor_only", "enforced"], backpressure)],
  ["wlm.workload_group.mode", lower(["disabled", "enabled", "monitor_only"], wlmMode)],
  ["logger.", upper(logLevels, "Unknown level constant [V].")],
  ["logger.level", upper(logLevels, "Unknown level constant [V].")],
]);

type Sentence = (value: string, key: string, allowed: readonly string[]) => string;

function oneOf(allowed: readonly string[], sentence: Sentence): Check {
  return (value, key) => {
    if (!allowed.includes(value)) throw illegalArgument(sentence(value, key, allowed));
  };
}

function lower(allowed: readonly string[], sentence: Sentence): Check {
  return (value, key) => {
    const clean = value.toLowerCase();
    if (!allowed.includes(clean)) throw illegalArgument(sentence(value, key, allowed));
  };
}

function clusterName(value: string): void {
  if (value === "") throw illegalArgument("[cluster.name] must not be empty");
  if (value.includes(":")) throw illegalArgument("[cluster.name] must not contain ':'");
}

function upper(allowed: readonly string[], sentence: string): Check {
  return (value) => {
    const clean = value.toUpperCase();
    if (!allowed.includes(clean)) throw illegalArgument(sentence.replace("[V]", `[${clean}]`));
  };
}

function list(allowed: readonly string[], sentence: Sentence): Check {
  return (value, key) => {
    for (const item of value.split(",").map((text) => text.trim())) {
      if (item !== "" && !allowed.includes(item)) {
        throw illegalArgument(sentence(item, key, allowed));
      }
    }
  };
}

function enumConstant(allowed: readonly string[], className: string): Check {
  return (value) => {
    const clean = value.toUpperCase();
    if (!allowed.includes(clean)) throw illegalArgument(`No enum constant ${className}.${clean}`);
  };
}

function slowLog(): Check {
  return enumConstant(slowLogLevels, "org.opensearch.common.logging.SlowLogLevel");
}

function unknownValue(value: string, key: string, allowed: readonly string[]): string {
  return `unknown value for [${key}] must be one of [${allowed.join(", ")}] but was: ${value}`;
}

function mustBeOneOf(value: string, _: string, allowed: readonly string[]): string {
  return `failed to parse [${value}] must be one of [${allowed.join(",")}]`;
}

function unsupportedPolicy(value: string, _: string, allowed: readonly string[]): string {
  return `The setting has unsupported policy specified: ${value}. Please use one of: ${allowed.join(", ")}`;
}

function settingValue(_: string, __: string, allowed: readonly string[]): string {
  return `Setting value must be one of [${allowed.join(", ")}]`;
}

function unknownLocality(value: string): string {
  return `Unknown locality type constant [${value}].`;
}

function unknownLock(value: string, key: string): string {
  return `unrecognized [${key}] "${value}": must be native or simple`;
}

function illegalMissing(value: string): string {
  return `Illegal missing value:[${value}], must be one of [_last, _first]`;
}

function backpressure(value: string): string {
  return `Invalid SearchBackpressureMode: ${value}`;
}

function wlmMode(value: string): string {
  return `${value} is an invalid WlmMode`;
}

function replicationType(value: string): void {
  if (["DOCUMENT", "SEGMENT"].includes(value.toUpperCase())) return;
  throw illegalArgument(`Could not parse ReplicationStrategy for [${value}]`);
}

function errorStrategy(value: string): void {
  if (["DROP", "BLOCK"].includes(value.toUpperCase())) return;
  const constant = `org.opensearch.indices.pollingingest.IngestionErrorStrategy.ErrorStrategy.${value.toUpperCase()}`;
  throw illegalArgument(
    `Invalid ingestion errorStrategy: ${value}`,
    illegal(`No enum constant ${constant}`),
  );
}

function persistentTasks(value: string, key: string): void {
  if (["NONE", "ALL"].includes(value.toUpperCase())) return;
  throw illegalArgument(`Illegal value [${value.toUpperCase()}] for [${key}]`);
}

function noManagerBlock(value: string): void {
  if (noManagerBlocks.includes(value)) return;
  throw illegalArgument(
    `invalid no-cluster-manager block [${value}], must be one of [${noManagerBlocks.join(", ")}]`,
  );
}

function allowRebalance(value: string, key: string): void {
  const allowed = ["always", "indices_primaries_active", "indices_all_active"];
  if (allowed.includes(value.toLowerCase())) return;
  const setting = `{\n  "key" : "${key}",\n  "properties" : [\n    "Dynamic",\n    "NodeScope"\n  ],\n  "is_group_setting" : false,\n  "default" : "indices_all_active"\n}`;
  throw illegalArgument(`Illegal value for ${setting}: ${value}`);
}

/** A disk watermark: the used share (`85%`, `0.85`), or the bytes that must stay free (`500mb`). */
function watermark(value: string, key: string): void {
  const share = value.endsWith("%") ? Number(value.slice(0, -1)) / 100 : Number(value);
  if (value !== "" && share >= 0 && share <= 1) return;
  parseBytes(key, value);
}

function autoExpand(value: string, key: string): void {
  if (value === "false") return;
  const dash = value.indexOf("-");
  const start = `failed to parse [${key}] from value: [${value}] at index ${dash}`;
  if (dash < 0) throw illegalArgument(start);
  const least = value.slice(0, dash);
  const most = value.slice(dash + 1);
  if (!/^\d+$/.test(least)) throw illegalArgument(start, badNumber(least));
  if (most === "all") return;
  if (!/^\d+$/.test(most)) throw illegalArgument(start, badNumber(most));
  if (Number(least) > Number(most)) {
    throw illegalArgument(
      `[${key}] minReplicas must be =< maxReplicas but wasn't ${Number(least)} > ${Number(most)}`,
    );
  }
}

function activeShardCount(value: string): void {
  if (value === "all" || /^\d+$/.test(value)) return;
  if (/^-\d+$/.test(value)) throw illegalArgument("shard count cannot be a negative value");
  throw badActiveShardCount(value);
}

function badActiveShardCount(value: string): OperationError {
  return illegalArgument(`cannot parse ActiveShardCount[${value}]`, badNumber(value));
}

function badNumber(value: string): Problem {
  return {
    type: "number_format_exception",
    reason: `For input string: "${value}"`,
    status: 400,
  };
}

/** Values of address filters: IP addresses or patterns (`IpFilterValidator`). */
function addresses(value: string, key: string): void {
  if (!/(?:\._ip|\._host_ip|_publish_ip)$/.test(key)) return;
  for (const item of value.split(",").map((text) => text.trim())) {
    if (item === "" || item.includes("*") || isAddress(item)) continue;
    throw illegalArgument(`invalid IP address [${item}] for [${key}]`);
  }
}

function isAddress(text: string): boolean {
  const parts = text.split(".");
  if (parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) {
    return true;
  }
  return text.includes(":") && /^[0-9a-fA-F:.]+$/.test(text);
}

function illegal(reason: string): Problem {
  return { type: "illegal_argument_exception", reason, status: 400 };
}

/** Addresses of remote clusters: host and port, or names of the in-memory network, which has no ports. */
function remoteHosts(value: string): void {
  for (const host of value.split(",")) {
    const colon = host.lastIndexOf(":");
    const port = host.slice(colon + 1);
    if (colon < 0 || (/^\d+$/.test(port) && Number(port) > 0)) continue;
    if (/^[+-]?\d+$/.test(port)) {
      throw illegalArgument(`port number must be > 0 but was: [${Number(port)}]`);
    }
    const causedBy: Problem = {
      type: "number_format_exception",
      reason: `For input string: "${port}"`,
      status: 400,
    };
    throw illegalArgument("failed to parse port", causedBy);
  }
}
