/** Global metadata of a snapshot: persistent settings and sections of the cluster state, and which of them a restore takes. */
import {
  dataStreamSection,
  dataStreamsOf,
  snapshotSections,
  type ClusterState,
  type DataStream,
  type Settings,
} from "@orrery/cluster-state";
import type { GlobalMetadata } from "@orrery/repository";
import { isJsonObject, type Json } from "@orrery/stdx";

/** Sections that describe the cluster itself, such as running operations and replication; no snapshot contains them. */
const excluded: ReadonlySet<string> = new Set([
  ...Object.values(snapshotSections),
  "index-graveyard",
  "decommissionedAttribute",
  "weighted_shard_routing",
  "replication_metadata",
  // Restored by name, with their backing indices.
  dataStreamSection,
]);

/** Global metadata of a state. Transient settings are never part of it. */
export function globalMetadataOf({ metadata }: ClusterState): GlobalMetadata {
  const customs = [...metadata.customs].filter(([name]) => !excluded.has(name));
  return {
    persistent_settings: metadata.persistentSettings,
    customs: Object.fromEntries(customs),
  };
}

/** Data streams of the snapshot, each with those of its backing indices that are in it; a stream without any is left out. */
export function keptDataStreams(
  state: ClusterState,
  names: readonly string[],
  indices: readonly string[],
): readonly DataStream[] {
  const kept = new Set(indices);
  return names.flatMap((name) => {
    const stream = dataStreamsOf(state).get(name);
    const backing = stream?.indices.filter(({ index_name: index }) => kept.has(index)) ?? [];
    return stream === undefined || backing.length === 0 ? [] : [{ ...stream, indices: backing }];
  });
}

/** Global metadata with data streams, which a snapshot stores even without the rest. */
export function withKeptDataStreams(
  metadata: GlobalMetadata,
  streams: readonly DataStream[],
): GlobalMetadata {
  return streams.length === 0
    ? metadata
    : { ...metadata, [dataStreamSection]: streams as unknown as Json };
}

/** Data streams in stored global metadata. */
export function dataStreamsIn(metadata: GlobalMetadata): readonly DataStream[] {
  const list = metadata[dataStreamSection];
  return Array.isArray(list) ? list : [];
}

/** The part of stored global metadata that a restore applies. */
export interface RestoredGlobal {
  readonly persistentSettings: Settings;
  readonly customs: readonly (readonly [string, Json])[];
}

/** The restorable part of stored metadata; excluded sections are dropped even if a snapshot of another cluster contains them. */
export function restoredGlobal(stored: GlobalMetadata): RestoredGlobal {
  const settings = stored["persistent_settings"];
  const customs = stored["customs"];
  const sections = isJsonObject(customs) ? Object.entries(customs) : [];
  return {
    persistentSettings: isJsonObject(settings) ? (settings as Settings) : {},
    customs: sections.flatMap(([name, section]) =>
      section === undefined || excluded.has(name) ? [] : [[name, section] as const],
    ),
  };
}
