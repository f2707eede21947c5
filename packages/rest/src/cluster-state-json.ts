/** JSON of the cluster state for `_cluster/state` and reroute. Source: `ClusterState.toXContent` and its parts. */
import {
  componentTemplatesOf,
  dataStreamSection,
  dataStreamsOf,
  indexTemplatesOf,
  ingestPipelinesOf,
  ingestSection,
  legacyTemplatesOf,
  relocationTarget,
  repositoriesOf,
  snapshotSections,
  templateSections,
  weightedRoutingOf,
  type ClusterBlock,
  type ClusterState,
  type DiscoveryNode,
  type IndexMetadata,
  type Settings,
  type ShardRouting,
} from "@orrery/cluster-state";
import type { Json, NodeId } from "@orrery/stdx";
import type { Cluster } from "@orrery/node";
import { isoDate } from "./dates.ts";
import { javaDouble, raw, type Printable, type PrintableObject } from "./json/printable.ts";
import { settingsJson } from "./settings-json.ts";
import { componentTemplateJson, indexTemplateJson, legacyTemplateJson } from "./templates/print.ts";

/** Metrics of `_cluster/state`. */
export const STATE_METRICS = [
  "version",
  "master_node",
  "cluster_manager_node",
  "blocks",
  "nodes",
  "metadata",
  "routing_table",
  "routing_nodes",
  "customs",
] as const;

export type StateMetric = (typeof STATE_METRICS)[number];

/** Selection of the parts of the state. */
export interface StateView {
  readonly metrics: ReadonlySet<StateMetric>;
  /** Names of the indices to print; `undefined`: all. */
  readonly indices: ReadonlySet<string> | undefined;
  readonly isFlat: boolean;
  /** Voters whose majority commits at present (`last_committed_config`); the state's voting configuration may already be newer. */
  readonly committedVoters: readonly NodeId[];
}

/** The committed voting configuration. During joint consensus that is the former one. */
export function committedVoters(cluster: Cluster): readonly NodeId[] {
  const { current, former } = cluster.votingConfigurations();
  return former.length > 0 ? former : current;
}

/** JSON of the state without `cluster_name`, whose position differs between the two callers. */
export function stateJson(state: ClusterState, view: StateView): PrintableObject {
  const has = (metric: StateMetric): boolean => view.metrics.has(metric);
  const manager = state.managerNodeId ?? null;
  return {
    cluster_uuid: state.metadata.clusterUuid,
    version: has("version") ? state.version : undefined,
    state_uuid: has("version") ? state.stateUuid : undefined,
    master_node: has("master_node") ? manager : undefined,
    cluster_manager_node: has("cluster_manager_node") ? manager : undefined,
    blocks: has("blocks") ? blocksJson(state, view) : undefined,
    nodes: has("nodes") ? nodesJson(state) : undefined,
    metadata: has("metadata") ? metadataJson(state, view) : undefined,
    routing_table: has("routing_table") ? routingTableJson(state, view) : undefined,
    routing_nodes: has("routing_nodes") ? routingNodesJson(state, view) : undefined,
    ...(has("customs") ? workJson(state) : {}),
  };
}

/** Custom sections that the product prints beside the metadata, not in it: work in progress on repositories. */
const workSections: ReadonlySet<string> = new Set([
  snapshotSections.snapshots,
  snapshotSections.deletions,
  snapshotSections.restores,
  snapshotSections.cleanups,
]);

function workJson({ metadata }: ClusterState): PrintableObject {
  const sections = [...metadata.customs].filter(([name]) => workSections.has(name));
  return Object.fromEntries(sections);
}

function isShown(view: StateView, index: string): boolean {
  return view.indices === undefined || view.indices.has(index);
}

function blocksJson(state: ClusterState, view: StateView): PrintableObject {
  const { global, indices } = state.blocks;
  const shown = [...indices].filter(([name, blocks]) => blocks.length > 0 && isShown(view, name));
  const byIndex = Object.fromEntries(shown.map(([name, blocks]) => [name, blockList(blocks)]));
  return {
    global: global.length === 0 ? undefined : blockList(global),
    indices: shown.length === 0 ? undefined : byIndex,
  };
}

function blockList(blocks: readonly ClusterBlock[]): PrintableObject {
  const entries = blocks.map((block) => [
    String(block.id),
    {
      description: block.description,
      retryable: block.isRetryable,
      disable_state_persistence: block.disableStatePersistence ? true : undefined,
      levels: block.levels,
    },
  ]);
  return Object.fromEntries(entries);
}

function nodesJson(state: ClusterState): PrintableObject {
  return Object.fromEntries([...state.nodes.values()].map((node) => [node.id, nodeJson(node)]));
}

/** JSON of one node of the cluster state, without its id. */
export function nodeJson(node: DiscoveryNode): PrintableObject {
  return {
    name: node.name,
    ephemeral_id: node.ephemeralId,
    transport_address: node.transportAddress,
    attributes: node.attributes,
  };
}

function metadataJson(state: ClusterState, view: StateView): PrintableObject {
  const { metadata } = state;
  const { coordination } = metadata;
  const indices = [...metadata.indices.values()].filter(({ name }) => isShown(view, name));
  const isMetadata = ([name]: readonly [string, Json]): boolean => !workSections.has(name);
  const customs = view.indices === undefined ? [...metadata.customs].filter(isMetadata) : [];
  const {
    "index-graveyard": graveyard,
    weighted_shard_routing: weights,
    [templateSections.component]: components,
    [templateSections.index]: templates,
    [templateSections.legacy]: _legacy,
    [dataStreamSection]: streams,
    [ingestSection]: ingest,
    [snapshotSections.repositories]: repositories,
    ...others
  } = Object.fromEntries(customs) as Record<string, Json>;
  return {
    cluster_uuid: metadata.clusterUuid,
    // With named indices the product rebuilds the metadata and loses this flag, so it prints false.
    cluster_uuid_committed: view.indices === undefined && metadata.isClusterUuidCommitted,
    cluster_coordination: {
      term: state.term,
      last_committed_config: view.committedVoters,
      last_accepted_config: coordination.votingConfiguration,
      voting_config_exclusions: coordination.votingConfigExclusions.map(({ nodeId, nodeName }) => ({
        node_id: nodeId,
        node_name: nodeName,
      })),
    },
    templates: view.indices === undefined ? legacyJson(state, view.isFlat) : {},
    indices: Object.fromEntries(
      indices.map((index) => [index.name, indexMetadataJson(index, view.isFlat)]),
    ),
    ...(others as PrintableObject),
    ...(components === undefined ? {} : componentsJson(state, view.isFlat)),
    ...(templates === undefined ? {} : indexTemplatesJson(state, view.isFlat)),
    ...(ingest === undefined ? {} : ingestJson(state)),
    ...(streams === undefined ? {} : dataStreamsJson(state)),
    ...(repositories === undefined ? {} : repositoriesJson(state, view.isFlat)),
    weighted_shard_routing: weights === undefined ? undefined : weightsJson(state),
    "index-graveyard": graveyardJson(graveyard),
  };
}

function legacyJson(state: ClusterState, isFlat: boolean): PrintableObject {
  const templates = [...legacyTemplatesOf(state)];
  return Object.fromEntries(
    templates.map(([name, template]) => [name, legacyTemplateJson(template, isFlat)]),
  );
}

/** The product nests component templates and index templates under the section's name twice. */
function componentsJson(state: ClusterState, isFlat: boolean): PrintableObject {
  const entries = [...componentTemplatesOf(state)].map(
    ([name, template]) => [name, componentTemplateJson(template, isFlat)] as const,
  );
  const { component } = templateSections;
  return { [component]: { [component]: Object.fromEntries(entries) } };
}

function indexTemplatesJson(state: ClusterState, isFlat: boolean): PrintableObject {
  const entries = [...indexTemplatesOf(state)].map(
    ([name, template]) => [name, indexTemplateJson(template, isFlat)] as const,
  );
  const { index } = templateSections;
  return { [index]: { [index]: Object.fromEntries(entries) } };
}

function ingestJson(state: ClusterState): PrintableObject {
  const pipeline = [...ingestPipelinesOf(state)].map(([id, definition]) => ({
    id,
    config: raw(definition),
  }));
  return { [ingestSection]: { pipeline } };
}

function dataStreamsJson(state: ClusterState): PrintableObject {
  const entries = [...dataStreamsOf(state)].map(([name, stream]) => [name, { ...stream }] as const);
  return { [dataStreamSection]: { [dataStreamSection]: Object.fromEntries(entries) } };
}

function repositoriesJson(state: ClusterState, isFlat: boolean): PrintableObject {
  const entries = [...repositoriesOf(state)].map(
    ([name, { settings, ...repository }]) =>
      [name, { ...repository, settings: settingsJson(settings, isFlat) }] as const,
  );
  return { [snapshotSections.repositories]: Object.fromEntries(entries) };
}

function weightsJson(state: ClusterState): PrintableObject {
  const {
    attribute = "",
    weights = new Map<string, number>(),
    version,
  } = weightedRoutingOf(state) ?? {};
  const doubles = [...weights].map(([value, weight]) => [value, javaDouble(weight)]);
  const awareness = attribute === "" ? {} : { [attribute]: Object.fromEntries(doubles) };
  return { awareness, _version: version };
}

function graveyardJson(graveyard: Json | undefined): Printable {
  return graveyard === undefined ? { tombstones: [] } : graveyard;
}

/** JSON of the metadata of one index; `isFlat` prints settings as flat keys. */
export function indexMetadataJson(index: IndexMetadata, isFlat: boolean): PrintableObject {
  const terms = Object.fromEntries(index.primaryTerms.map((term, shard) => [String(shard), term]));
  const inSync = index.inSyncAllocationIds.map((ids, shard) => [String(shard), ids]);
  return {
    version: index.version,
    mapping_version: index.mappingVersion,
    settings_version: index.settingsVersion,
    aliases_version: index.aliasesVersion,
    routing_num_shards: index.routingNumShards,
    state: index.state,
    settings: settingsJson(index.settings, isFlat),
    mappings:
      Object.keys(index.mapping).length === 0 ? {} : { _doc: index.mapping as PrintableObject },
    aliases: [...index.aliases.keys()],
    primary_terms: terms,
    primary_terms_map: terms,
    in_sync_allocations: Object.fromEntries(inSync),
    rollover_info: index.rolloverInfo ?? {},
    system: index.isSystem,
    ingestion_status: { is_paused: false },
    split_shards_metadata: {
      num_of_root_shards: index.numberOfShards,
      max_shard_id: index.numberOfShards - 1,
      active_shard_ids: index.primaryTerms.map((_, shard) => shard),
      root_shards_to_all_children: {},
      parent_to_child_shards: {},
    },
  };
}

/** The settings with the readable values that `human` adds. */
export function withReadableSettings(settings: Settings): Settings {
  const created = settings["index.version.created"];
  const date = settings["index.creation_date"];
  return {
    ...settings,
    ...(typeof created === "string"
      ? { "index.version.created_string": versionText(created) }
      : {}),
    ...(typeof date === "string" ? { "index.creation_date_string": isoDate(Number(date)) } : {}),
  };
}

/**
 * A version id as text: `137297827` is 3.8.0. It holds major, minor, revision and build, XORed with a bit that marks
 * OpenSearch.
 */
function versionText(id: string): string {
  const number = Number(id) ^ 0x8000000;
  const part = (unit: number): number => Math.floor(number / unit) % 100;
  return `${Math.floor(number / 1_000_000)}.${part(10_000)}.${part(100)}`;
}

function routingTableJson(state: ClusterState, view: StateView): PrintableObject {
  const tables = [...state.routingTable.values()].filter(({ index }) => isShown(view, index));
  const indices = tables.map(({ index, shards }) => {
    const entries = shards.map((copies, shard) => [
      String(shard),
      copies.flatMap(withTarget).map(shardRoutingJson),
    ]);
    return [index, { shards: Object.fromEntries(entries) }];
  });
  return { indices: Object.fromEntries(indices) };
}

function withTarget(copy: ShardRouting): ShardRouting[] {
  const target = relocationTarget(copy);
  return target === undefined ? [copy] : [copy, target];
}

function routingNodesJson(state: ClusterState, view: StateView): PrintableObject {
  const tables = [...state.routingTable.values()].filter(({ index }) => isShown(view, index));
  const copies = tables.flatMap(({ shards }) => shards.flat()).flatMap(withTarget);
  const onNodes = [...state.nodes.values()]
    .filter(
      (node) => node.roles.includes("data") || copies.some(({ nodeId }) => nodeId === node.id),
    )
    .map((node) => [
      node.id,
      copies.filter(({ nodeId }) => nodeId === node.id).map(shardRoutingJson),
    ]);
  return {
    unassigned: copies.filter(({ nodeId }) => nodeId === undefined).map(shardRoutingJson),
    nodes: Object.fromEntries(onNodes),
  };
}

/** JSON of the routing of one shard copy. */
export function shardRoutingJson(copy: ShardRouting): PrintableObject {
  const { unassignedInfo: info } = copy;
  return {
    state: copy.state,
    primary: copy.primary,
    searchOnly: false,
    node: copy.nodeId ?? null,
    relocating_node: copy.relocatingNodeId ?? null,
    shard: copy.shard,
    index: copy.index,
    recovery_source:
      copy.recoverySource === undefined ? undefined : recoverySourceJson(copy.recoverySource),
    allocation_id: copy.allocationId === undefined ? undefined : allocationIdJson(copy),
    unassigned_info:
      info === undefined
        ? undefined
        : {
            reason: info.reason,
            at: isoDate(info.atMs),
            failed_attempts: info.failedAllocations > 0 ? info.failedAllocations : undefined,
            failed_nodes: info.failedNodeIds.length > 0 ? info.failedNodeIds : undefined,
            delayed: info.delayed,
            details: info.details,
            allocation_status: info.lastAllocationStatus,
          },
  };
}

function allocationIdJson(copy: ShardRouting): PrintableObject {
  return { id: copy.allocationId, relocation_id: copy.relocationId };
}

function recoverySourceJson(source: NonNullable<ShardRouting["recoverySource"]>): PrintableObject {
  switch (source.type) {
    case "EXISTING_STORE":
      return { type: source.type, bootstrap_new_history_uuid: source.bootstrapNewHistoryUuid };
    case "SNAPSHOT":
      return {
        type: source.type,
        repository: source.repository,
        snapshot: source.snapshot,
        version: "3.8.0",
        index: source.index,
      };
    default:
      return { type: source.type };
  }
}
