/**
 * The state that all copies of one index share in a worker (`IndexService`): metadata as applied, compiled mapping,
 * settings.
 */
import {
  clusterSetting,
  indexSetting,
  type ClusterState,
  type IndexMetadata,
} from "@orrery/cluster-state";
import { createMapping, type Mapping, type SearchLanguage } from "@orrery/query";
import { OperationError, type Problem } from "@orrery/stdx";
import type { EngineSettings } from "./engine/types.ts";

/** Metadata, mapping and settings of one index on this worker. A change of the metadata replaces the object. */
export interface IndexService {
  readonly metadata: IndexMetadata;
  readonly mapping: Mapping;
  readonly settings: CopySettings;
  /**
   * The reason why no mapping can be made of the metadata. `mapping` is then the one before, or empty, and copies
   * fail.
   */
  readonly problem?: Problem;
}

/** Settings of the index that its copies read. */
export interface CopySettings extends EngineSettings {
  readonly isSyncedPerRequest: boolean;
  readonly syncIntervalMs: number;
  readonly refreshIntervalMs: number;
  /** Whether a client has set `index.refresh_interval`: only without it shards become search-idle. */
  readonly isRefreshIntervalSet: boolean;
  readonly searchIdleAfterMs: number;
  readonly waitForActiveShards: string;
  readonly leasePeriodMs: number;
  readonly leaseSyncMs: number;
  readonly globalCheckpointSyncMs: number;
}

/**
 * The service of an index under a new state. The object is reused while its parts are unchanged, and the mapping while
 * the versions of mapping and settings are. Metadata from which no mapping can be made fails the copies of the index,
 * not the worker.
 */
export function indexServiceOf(
  language: SearchLanguage,
  state: ClusterState,
  metadata: IndexMetadata,
  before: IndexService | undefined,
): IndexService {
  if (before?.metadata === metadata) {
    const settings = withRefreshInterval(before.settings, state);
    return settings === before.settings ? before : { ...before, settings };
  }
  const isSameSettings = before?.metadata.settingsVersion === metadata.settingsVersion;
  const isSameMapping =
    isSameSettings && before.metadata.mappingVersion === metadata.mappingVersion;
  const settings = isSameSettings
    ? withRefreshInterval(before.settings, state)
    : copySettings(state, metadata);
  if (isSameMapping) return { ...before, metadata, settings };
  try {
    const mapping = createMapping(language, metadata.mapping, metadata.settings);
    return { metadata, mapping, settings };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const mapping = before?.mapping ?? createMapping(language, {}, {});
    return { metadata, mapping, settings, problem: error.problem };
  }
}

/** Settings of unchanged metadata. They depend on the cluster's settings only by the default refresh interval. */
function withRefreshInterval(settings: CopySettings, state: ClusterState): CopySettings {
  if (settings.isRefreshIntervalSet) return settings;
  const refreshIntervalMs = defaultRefreshInterval(state);
  return refreshIntervalMs === settings.refreshIntervalMs
    ? settings
    : { ...settings, refreshIntervalMs };
}

function copySettings(state: ClusterState, metadata: IndexMetadata): CopySettings {
  const number = (key: string): number => Number(indexSetting(metadata, key));
  const text = (key: string): string => String(indexSetting(metadata, key)).toLowerCase();
  return {
    gcDeletesMs: number("index.gc_deletes"),
    flushThresholdBytes: number("index.translog.flush_threshold_size"),
    generationThresholdBytes: number("index.translog.generation_threshold_size"),
    maxRefreshListeners: number("index.max_refresh_listeners"),
    bufferBytes: INDEX_BUFFER_BYTES,
    maxMergedSegmentBytes: number("index.merge.policy.max_merged_segment"),
    segmentsPerTier: number("index.merge.policy.segments_per_tier"),
    retentionOperations: number("index.soft_deletes.retention.operations"),
    isSyncedPerRequest: text("index.translog.durability") === "request",
    syncIntervalMs: number("index.translog.sync_interval"),
    refreshIntervalMs: refreshInterval(state, metadata),
    isRefreshIntervalSet: metadata.settings["index.refresh_interval"] !== undefined,
    searchIdleAfterMs: number("index.search.idle.after"),
    waitForActiveShards: text("index.write.wait_for_active_shards"),
    leasePeriodMs: number("index.soft_deletes.retention_lease.period"),
    leaseSyncMs: 30_000,
    globalCheckpointSyncMs: 30_000,
  };
}

/** OpenSearch shares a tenth of its heap among all shards; here each copy has a fixed buffer. */
const INDEX_BUFFER_BYTES = 48 * 1024 * 1024;

function refreshInterval(state: ClusterState, metadata: IndexMetadata): number {
  if (metadata.settings["index.refresh_interval"] !== undefined) {
    return indexSetting(metadata, "index.refresh_interval");
  }
  return defaultRefreshInterval(state);
}

function defaultRefreshInterval(state: ClusterState): number {
  return Number(clusterSetting(state, "cluster.default.index.refresh_interval"));
}
