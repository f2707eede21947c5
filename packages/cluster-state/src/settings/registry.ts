/** Effective values of settings, the defaults included, and the defaults alone for `include_defaults`. */
import { assert, lookup } from "@orrery/stdx";
import type { ClusterState, IndexMetadata, Metadata, Settings } from "../types.ts";
import type { SettingValue } from "./setting.ts";
import { coreSettings, settingOf, type SettingTable, type SettingTables } from "./table.ts";

/** Value types of the index settings that code reads; any other known key gives a `SettingValue`. */
export interface IndexSettingValues {
  "index.allocation.max_retries": number;
  "index.auto_expand_replicas": string;
  "index.blocks.metadata": boolean;
  "index.blocks.read": boolean;
  "index.blocks.read_only": boolean;
  "index.blocks.read_only_allow_delete": boolean;
  "index.blocks.write": boolean;
  "index.codec": string;
  "index.default_pipeline": string;
  "index.final_pipeline": string;
  "index.flush_after_merge": number;
  "index.gc_deletes": number;
  "index.hidden": boolean;
  "index.highlight.max_analyzed_offset": number;
  "index.analyze.max_token_count": number;
  "index.mapping.coerce": boolean;
  "index.mapping.depth.limit": number;
  "index.mapping.field_name_length.limit": number;
  "index.mapping.ignore_malformed": boolean;
  "index.mapping.nested_fields.limit": number;
  "index.mapping.nested_objects.limit": number;
  "index.mapping.total_fields.limit": number;
  "index.max_docvalue_fields_search": number;
  "index.max_inner_result_window": number;
  "index.max_ngram_diff": number;
  "index.max_refresh_listeners": number;
  "index.max_regex_length": number;
  "index.max_rescore_window": number;
  "index.max_result_window": number;
  "index.max_script_fields": number;
  "index.max_shingle_diff": number;
  "index.max_slices_per_pit": number;
  "index.max_slices_per_scroll": number;
  "index.max_terms_count": number;
  "index.number_of_replicas": number;
  "index.number_of_routing_shards": number;
  "index.number_of_shards": number;
  "index.priority": number;
  "index.query.default_field": readonly string[];
  "index.query_string.lenient": boolean;
  "index.refresh_interval": number;
  "index.replication.type": string;
  "index.requests.cache.enable": boolean;
  "index.routing.allocation.enable": string;
  "index.routing.allocation.total_primary_shards_per_node": number;
  "index.routing.allocation.total_shards_per_node": number;
  "index.routing.rebalance.enable": string;
  "index.routing_partition_size": number;
  "index.search.default_pipeline": string;
  "index.search.idle.after": number;
  "index.soft_deletes.enabled": boolean;
  "index.soft_deletes.retention.operations": number;
  "index.soft_deletes.retention_lease.period": number;
  "index.sort.field": readonly string[];
  "index.sort.missing": readonly string[];
  "index.sort.mode": readonly string[];
  "index.sort.order": readonly string[];
  "index.translog.durability": string;
  "index.translog.flush_threshold_size": number;
  "index.translog.generation_threshold_size": number;
  "index.translog.sync_interval": number;
  "index.unassigned.node_left.delayed_timeout": number;
  "index.verified_before_close": boolean;
  "index.write.wait_for_active_shards": string;
}

/** Value types of the cluster settings that code reads; any other known key gives a `SettingValue`. */
export interface ClusterSettingValues {
  "action.auto_create_index": string;
  "action.destructive_requires_name": boolean;
  "cluster.auto_shrink_voting_configuration": boolean;
  "cluster.blocks.create_index": boolean;
  "cluster.blocks.create_index.auto_release": boolean;
  "cluster.blocks.read_only": boolean;
  "cluster.blocks.read_only_allow_delete": boolean;
  "cluster.default_number_of_replicas": number;
  "cluster.indices.close.enable": boolean;
  "cluster.indices.tombstones.size": number;
  "cluster.info.update.interval": number;
  "cluster.max_shards_per_node": number;
  "cluster.max_voting_config_exclusions": number;
  "cluster.no_cluster_manager_block": string;
  "cluster.routing.allocation.allow_rebalance": string;
  "cluster.routing.allocation.awareness.attributes": readonly string[];
  "cluster.routing.allocation.awareness.balance": boolean;
  "cluster.routing.allocation.balance.index": number;
  "cluster.routing.allocation.balance.prefer_primary": boolean;
  "cluster.routing.allocation.balance.shard": number;
  "cluster.routing.allocation.balance.threshold": number;
  "cluster.routing.allocation.cluster_concurrent_rebalance": number;
  "cluster.routing.allocation.cluster_concurrent_recoveries": number;
  "cluster.routing.allocation.disk.include_relocations": boolean;
  "cluster.routing.allocation.disk.reroute_interval": number;
  "cluster.routing.allocation.disk.threshold_enabled": boolean;
  "cluster.routing.allocation.disk.watermark.enable_for_single_data_node": boolean;
  "cluster.routing.allocation.disk.watermark.flood_stage": string;
  "cluster.routing.allocation.disk.watermark.high": string;
  "cluster.routing.allocation.disk.watermark.low": string;
  "cluster.routing.allocation.enable": string;
  "cluster.routing.allocation.load_awareness.allow_unassigned_primaries": boolean;
  "cluster.routing.allocation.load_awareness.flat_skew": number;
  "cluster.routing.allocation.load_awareness.provisioned_capacity": number;
  "cluster.routing.allocation.load_awareness.skew_factor": number;
  "cluster.routing.allocation.node_concurrent_incoming_recoveries": number;
  "cluster.routing.allocation.node_concurrent_outgoing_recoveries": number;
  "cluster.routing.allocation.node_initial_primaries_recoveries": number;
  "cluster.routing.allocation.node_initial_replicas_recoveries": number;
  "cluster.routing.allocation.primary_constraint.threshold": number;
  "cluster.routing.allocation.same_shard.host": boolean;
  "cluster.routing.allocation.shard_movement_strategy": string;
  "cluster.routing.allocation.total_primary_shards_per_node": number;
  "cluster.routing.allocation.total_shards_per_node": number;
  "cluster.routing.allocation.unassigned.node_left.delayed_timeout": number;
  "cluster.routing.rebalance.enable": string;
  "cluster.routing.use_adaptive_replica_selection": boolean;
  "cluster.search.ignore_awareness_attributes": boolean;
  "indices.query.bool.max_clause_count": number;
  "point_in_time.init.keep_alive": number;
  "point_in_time.max_keep_alive": number;
  "search.allow_expensive_queries": boolean;
  "search.default_keep_alive": number;
  "search.default_search_timeout": number;
  "search.max_buckets": number;
  "search.max_keep_alive": number;
  "search.max_open_scroll_context": number;
  "search.max_open_pit_context": number;
  "search.query.max_query_string_length": number;
}

/** Effective value of an index setting: the index's own, else the default. */
export function indexSetting<K extends keyof IndexSettingValues>(
  metadata: Pick<IndexMetadata, "settings">,
  key: K,
): IndexSettingValues[K];
export function indexSetting(metadata: Pick<IndexMetadata, "settings">, key: string): SettingValue;
export function indexSetting(metadata: Pick<IndexMetadata, "settings">, key: string): SettingValue {
  const { settings } = metadata;
  return remembered(settings, key, () => effective(coreSettings.index, settings, key));
}

/** Effective value of a cluster setting: transient, else persistent, else the default. */
export function clusterSetting<K extends keyof ClusterSettingValues>(
  state: Pick<ClusterState, "metadata">,
  key: K,
): ClusterSettingValues[K];
export function clusterSetting(state: Pick<ClusterState, "metadata">, key: string): SettingValue;
export function clusterSetting(state: Pick<ClusterState, "metadata">, key: string): SettingValue {
  const settings = currentClusterSettings(state);
  return remembered(settings, key, () => effective(coreSettings.cluster, settings, key));
}

/** Effective value of a plugin's cluster setting, by the plugin's own table. */
export function pluginSetting(
  table: SettingTable,
  state: Pick<ClusterState, "metadata">,
  key: string,
): SettingValue {
  const settings = currentClusterSettings(state);
  return remembered(settings, key, () => effective(table, settings, key));
}

/** All cluster settings with a value, transient over persistent; the same object for the same pair. */
export function currentClusterSettings({ metadata }: Pick<ClusterState, "metadata">): Settings {
  return layered(metadata.persistentSettings, metadata.transientSettings);
}

const grounded = new WeakMap<Metadata, { readonly under: Settings; readonly metadata: Metadata }>();

/** The state with a node's settings as values of lowest precedence, above the defaults. */
export function withNodeSettings(state: ClusterState, nodeSettings: Settings): ClusterState {
  return { ...state, metadata: metadataWithNodeSettings(state.metadata, nodeSettings) };
}

/** The metadata with a node's settings as values of lowest precedence; the same object for the same two arguments. */
export function metadataWithNodeSettings(metadata: Metadata, nodeSettings: Settings): Metadata {
  const known = grounded.get(metadata);
  if (known?.under === nodeSettings) return known.metadata;
  const persistentSettings = layered(nodeSettings, metadata.persistentSettings);
  const seen = { ...metadata, persistentSettings };
  grounded.set(metadata, { under: nodeSettings, metadata: seen });
  return seen;
}

const layers = new WeakMap<Settings, WeakMap<Settings, Settings>>();

/** Cache keyed by the settings objects, which most changes of the state leave untouched. */
function layered(under: Settings, over: Settings): Settings {
  const known = layers.get(over)?.get(under);
  if (known !== undefined) return known;
  const both = { ...under, ...over };
  const ofOver = layers.get(over) ?? new WeakMap<Settings, Settings>();
  layers.set(over, ofOver.set(under, both));
  return both;
}

const values = new WeakMap<object, Map<string, SettingValue>>();

/** Parsed values by settings object and key: deciders read the same setting for every shard and node. */
function remembered(holder: object, key: string, compute: () => SettingValue): SettingValue {
  const known = values.get(holder)?.get(key);
  if (known !== undefined) return known;
  const value = compute();
  const ofHolder = values.get(holder) ?? new Map<string, SettingValue>();
  values.set(holder, ofHolder.set(key, value));
  return value;
}

function effective(table: SettingTable, settings: Settings, key: string): SettingValue {
  const setting = settingOf(table, key);
  assert(setting !== undefined, `unregistered setting [${key}]`);
  return setting.parse(lookup(settings, key) ?? setting.default(settings), key);
}

/** Cluster settings of a family that have a value, without the prefix: `{"zone.values": "a,b"}`. */
export function clusterSettingGroup(state: ClusterState, prefix: string): Settings {
  return settingGroup(currentClusterSettings(state), prefix);
}

/** The settings whose keys begin with a prefix, without the prefix. */
export function settingGroup(settings: Settings, prefix: string): Settings {
  const members = Object.entries(settings).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(members.map(([key, value]) => [key.slice(prefix.length), value]));
}

/** Defaults of all index settings that `settings` gives no value, for `include_defaults`. */
export function indexSettingDefaults(known: SettingTables, settings: Settings): Settings {
  return defaultsOf(known.index, settings);
}

/** Defaults of all cluster settings that `settings` gives no value, for `include_defaults`. */
export function clusterSettingDefaults(known: SettingTables, settings: Settings): Settings {
  return defaultsOf(known.cluster, settings);
}

function defaultsOf({ byKey }: SettingTable, settings: Settings): Settings {
  const missing = [...byKey.values()].filter(
    ({ key, isPrefix }) => !isPrefix && !key.includes("*") && lookup(settings, key) === undefined,
  );
  return Object.fromEntries(missing.map((setting) => [setting.key, setting.default(settings)]));
}
