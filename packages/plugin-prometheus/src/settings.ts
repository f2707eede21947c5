/** Settings of the plugin. Source: `PrometheusSettings` of the exporter. */
import {
  booleanSetting,
  pluginSetting,
  settingTable,
  textSetting,
  type ClusterState,
  type NodeSettingRow,
} from "@orrery/cluster-state";

const PREFIX = "prometheus.metric_name.prefix";
const INDICES = "prometheus.indices";
const CLUSTER_SETTINGS = "prometheus.cluster.settings";
const NODES = "prometheus.nodes.filter";
const SELECTED = "prometheus.indices_filter.selected_indices";

export const clusterSettings: readonly NodeSettingRow[] = [
  { name: PREFIX, type: textSetting("opensearch_"), hasEffect: true },
  { name: INDICES, type: booleanSetting(true), isDynamic: true, hasEffect: true },
  { name: CLUSTER_SETTINGS, type: booleanSetting(true), isDynamic: true, hasEffect: true },
  { name: NODES, type: textSetting("_local"), isDynamic: true, hasEffect: true },
  { name: SELECTED, type: textSetting(""), isDynamic: true, hasEffect: true },
];

const table = settingTable(clusterSettings, "cluster");

export interface ExporterSettings {
  /** Prefix of the names of families. */
  readonly prefix: string;
  /** Whether there are figures for each index. */
  readonly hasIndices: boolean;
  /** Index expressions, separated by commas; empty for all indices. */
  readonly indices: string;
  /** Whether disk watermarks are figures. */
  readonly hasClusterSettings: boolean;
  /** Node filter, as in the path of `_nodes`. */
  readonly nodes: string;
}

/** Settings in force; `state` is the applied state with the node's own settings below those of the cluster. */
export function exporterSettings(state: ClusterState): ExporterSettings {
  const of = (key: string) => pluginSetting(table, state, key);
  return {
    prefix: String(of(PREFIX)),
    hasIndices: of(INDICES) === true,
    indices: String(of(SELECTED)),
    hasClusterSettings: of(CLUSTER_SETTINGS) === true,
    nodes: String(of(NODES)),
  };
}
