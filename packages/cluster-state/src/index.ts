/** The replicated cluster state: types, tasks and reducers, settings registry, index name resolution, routing table. */
export { withAutoExpandedReplicas } from "./auto-expand.ts";
export { awarenessAttributes, forcedAwareness } from "./awareness.ts";
export {
  allLevels,
  blockProblem,
  checkBlock,
  checkBlockForRelease,
  indexClosedBlock,
  isClosingBlock,
  noClusterManagerBlock,
  settingBlocks,
  withIndexBlocks,
} from "./blocks.ts";
export {
  checkState,
  decodeEntry,
  decodeIndexMetadata,
  decodeState,
  encodeEntry,
  encodeIndexMetadata,
  encodeState,
  fullIndexMetadata,
  plainIndexMetadata,
  readEntry,
  type PlainIndexMetadata,
} from "./codec.ts";
export { customOf, withCustom } from "./customs.ts";
export {
  backingIndexName,
  dataStreamOf,
  dataStreamSection,
  dataStreamsOf,
  writeIndexOf,
  type DataStream,
} from "./data-streams.ts";
export {
  decommissionOf,
  describeZone,
  isDecommissioned,
  isInZone,
  type Decommission,
  type DecommissionStatus,
} from "./decommission.ts";
export { applyEntry, applyRoutingDelta, type LogEntry } from "./entry.ts";
export { formatInstant } from "./format-instant.ts";
export { hasTombstone, tombstonedIndices } from "./graveyard.ts";
export {
  clusterHealth,
  type ClusterHealth,
  type HealthStatus,
  type IndexHealth,
  type ShardHealth,
} from "./health.ts";
export { nameComplaint, validateNewIndexName } from "./index-names.ts";
export { defaultRoutingShards } from "./index-metadata.ts";
export { ingestPipelinesOf, ingestSection } from "./ingest-pipelines.ts";
export { initialState } from "./initial-state.ts";
export { completeIndexSettings, type NewIndex } from "./new-index.ts";
export {
  describeFilters,
  filtersOf,
  matchesFilters,
  type FilterKind,
  type NodeFilters,
} from "./node-filters.ts";
export { compareVersions, describeNode, isDataNode } from "./nodes.ts";
export { resolveNodes } from "./resolve/resolve-nodes.ts";
export { resolveAliasActions, type AliasRequest } from "./resolve/alias-actions.ts";
export { resolveDateMath } from "./resolve/date-math.ts";
export {
  indicesOptions,
  withParameters,
  type IndicesOptions,
  type IndicesOptionsParameters,
} from "./resolve/options.ts";
export {
  indexClosed,
  resolveIndices,
  resolveSingleIndex,
  resolveWriteIndex,
  type ResolvedIndex,
} from "./resolve/resolve-indices.ts";
export {
  aliasFilter,
  resolveReadRouting,
  resolveSearchRouting,
  resolveWriteRouting,
  type AliasFilter,
} from "./resolve/resolve-routing.ts";
export {
  activePrimary,
  allCopies,
  copiesOf,
  copiesOn,
  indicesOn,
  copiesWithTargets,
  copyByAllocationId,
  isActive,
  isAssigned,
  isRelocationTarget,
  primaryOf,
  relocationTarget,
  shardFor,
  shardsForRouting,
} from "./routing.ts";
export { surplusReplica } from "./routing-rows.ts";
export { flattenSettings, nestSettings } from "./settings/flat.ts";
export {
  nodeSettingHasEffect,
  nodeSettingProblem,
  nodeSettingsProblem,
} from "./settings/node-settings.ts";
export { changeSettings, type Changed } from "./settings/change.ts";
export { parseBoolean, parseBytes, parseTime } from "./settings/parse-value.ts";
export {
  clusterSetting,
  clusterSettingDefaults,
  clusterSettingGroup,
  currentClusterSettings,
  indexSetting,
  indexSettingDefaults,
  pluginSetting,
  metadataWithNodeSettings,
  settingGroup,
  type ClusterSettingValues,
  type IndexSettingValues,
  withNodeSettings,
} from "./settings/registry.ts";
export { scriptSettingsOf } from "./settings/script-settings.ts";
export { remoteClustersOf, type RemoteClusterSettings } from "./settings/remote-clusters.ts";
export {
  composeSettings,
  coreSettings,
  settingOf,
  settingTable,
  type SettingsModule,
  type SettingTable,
  type SettingTables,
} from "./settings/table.ts";
export {
  archiveInvalidSettings,
  validateIndexSettings,
  validationProblem,
} from "./settings/validate.ts";
export {
  boolean as booleanSetting,
  bytes as bytesSetting,
  double as doubleSetting,
  duration as durationSetting,
  int as intSetting,
  list as listSetting,
  long as longSetting,
  text as textSetting,
  type SettingKind,
  type SettingType,
} from "./settings/setting-type.ts";
export type { NodeSettingRow, Setting, SettingRow, SettingValue } from "./settings/setting.ts";
export { sliceState } from "./slice.ts";
export { applySliceChange, encodeSliceChange } from "./slice-change.ts";
export {
  concurrentSnapshot,
  invalidSnapshotName,
  repositoryChanged,
  repositoryMissing,
  snapshotMissing,
  snapshotProblem,
} from "./snapshots/problems.ts";
export { isSnapshotComplete, repositoryShardKey } from "./snapshots/progress.ts";
export { isRestoreOver } from "./snapshots/restores.ts";
export {
  cleanupsOf,
  CORRUPTED_GENERATION,
  deletionsOf,
  repositoriesOf,
  restoresOf,
  snapshotSections,
  snapshotsOf,
  UNKNOWN_GENERATION,
  type RepositoryMetadata,
  type RestoreEntry,
  type RestoreShard,
  type ShardSnapshotEntry,
  type ShardSnapshotState,
  type SnapshotDeletion,
  type SnapshotEntry,
  type SnapshotIndex,
} from "./snapshots/sections.ts";
export { followed } from "./tasks/follow-repositories.ts";
export type { NewSnapshotIndex } from "./tasks/create-snapshot.ts";
export type {
  RestoredDataStream,
  RestoredIndex,
  RestoreSnapshot,
} from "./tasks/restore-snapshot.ts";
export type { ShardSnapshotUpdate } from "./tasks/update-snapshot-shards.ts";
export {
  aliasesOfIndexTemplate,
  composeIndex,
  mappingsOfIndexTemplate,
  settingsOfLegacyTemplates,
  type ComposedIndex,
  type IndexRequest,
} from "./templates/compose.ts";
export {
  describeOverlaps,
  findIndexTemplate,
  findLegacyTemplates,
  overlappingIndexTemplates,
  overlappingLegacyTemplates,
  settingsOfIndexTemplate,
  templateMissing,
} from "./templates/find.ts";
export {
  componentTemplatesOf,
  indexTemplatesOf,
  legacyTemplatesOf,
  templateSections,
  type ComponentTemplate,
  type IndexTemplate,
  type LegacyTemplate,
  type Template,
} from "./templates/sections.ts";
export { dataStreamProblem } from "./tasks/create-data-stream.ts";
export { writeIndexProblem } from "./tasks/delete-index.ts";
export { applyTask, type Task } from "./task.ts";
export { nodeProblem, taskProblem } from "./task-shapes.ts";
export type { AddVotingConfigExclusions } from "./tasks/add-voting-config-exclusions.ts";
export type { AssignRaftId } from "./tasks/assign-raft-id.ts";
export type { BecomeClusterManager } from "./tasks/become-cluster-manager.ts";
export type { ClearVotingConfigExclusions } from "./tasks/clear-voting-config-exclusions.ts";
export type { CloseIndex } from "./tasks/close-index.ts";
export type { CreateIndex } from "./tasks/create-index.ts";
export type { DecommissionZone } from "./tasks/decommission-zone.ts";
export type { DeleteDecommissionState } from "./tasks/delete-decommission-state.ts";
export type { DeleteWeightedRouting } from "./tasks/delete-weighted-routing.ts";
export type { DeleteDanglingIndex } from "./tasks/delete-dangling-index.ts";
export type { DeleteIndex } from "./tasks/delete-index.ts";
export type { ImportDanglingIndex } from "./tasks/import-dangling-index.ts";
export { joinProblem, sameIdProblem, type NodeJoin } from "./tasks/node-join.ts";
export type { NodeLeft } from "./tasks/node-left.ts";
export type { OpenIndex } from "./tasks/open-index.ts";
export type { PluginTask } from "./tasks/plugin-task.ts";
export {
  composeRules,
  coreRules,
  type PluginReducer,
  type Rules,
  type RulesModule,
} from "./rules.ts";
export { isMappingOvertaken, mappingChange } from "./mapping-change.ts";
export type { PutMapping } from "./tasks/put-mapping.ts";
export { attributeProblem, type PutWeightedRouting } from "./tasks/put-weighted-routing.ts";
export { desiredVoters, type ReconfigureVoters } from "./tasks/reconfigure-voters.ts";
export type { RecoverState } from "./tasks/recover-state.ts";
export { aliasesMissing, type AliasAction, type UpdateAliases } from "./tasks/update-aliases.ts";
export type { UpdateClusterSettings } from "./tasks/update-cluster-settings.ts";
export type { UpdateDecommissionStatus } from "./tasks/update-decommission-status.ts";
export type { UpdateIndexSettings } from "./tasks/update-index-settings.ts";
export type {
  AliasMetadata,
  AllocationStatus,
  BlockLevel,
  ClusterBlock,
  ClusterBlocks,
  ClusterState,
  CoordinationMetadata,
  DiscoveryNode,
  IndexMetadata,
  IndexRoutingTable,
  LogPosition,
  Metadata,
  NodeRole,
  Outcome,
  RecoverySource,
  RoutingDelta,
  ShardRow,
  Settings,
  SettingsChange,
  ShardRouting,
  ShardRoutingState,
  UnassignedInfo,
  UnassignedReason,
} from "./types.ts";
export { indexNotFound, rejected, unchanged, updated, withIndex } from "./updates.ts";
export { resolveVotingExclusions, type VotingExclusion } from "./voting-exclusions.ts";
export {
  activeWeights,
  isWeighedAway,
  weightedRoutingOf,
  weightOfNode,
  weightText,
  type WeightedRouting,
} from "./weighted-routing.ts";
