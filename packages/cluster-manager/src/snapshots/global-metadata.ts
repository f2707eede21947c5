/** What a snapshot keeps of the cluster beside its indices, and what a restore of it brings back. */
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

/** Sections that belong to this cluster and not to what it holds: what is going on in it, and whom it follows. */
const excluded: ReadonlySet<string> = new Set([
  ...Object.values(snapshotSections),
  "index-graveyard",
  "decommissionedAttribute",
  "weighted_shard_routing",
  "replication_metadata",
  // Restored by name, with their backing indices.
  dataStreamSection,
]);

export function globalMetadataOf({ metadata }: ClusterState): GlobalMetadata {
  const customs = [...metadata.customs].filter(([name]) => !excluded.has(name));
  return {
    persistent_settings: metadata.persistentSettings,
    customs: Object.fromEntries(customs),
  };
}

/** Data streams are kept there even when the rest is not. One that was rolled over meanwhile is kept as far as it is in the snapshot. */
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

export function withKeptDataStreams(
  metadata: GlobalMetadata,
  streams: readonly DataStream[],
): GlobalMetadata {
  return streams.length === 0
    ? metadata
    : { ...metadata, [dataStreamSection]: streams as unknown as Json };
}

export function dataStreamsIn(metadata: GlobalMetadata): readonly DataStream[] {
  const list = metadata[dataStreamSection];
  return Array.isArray(list) ? list : [];
}

export interface RestoredGlobal {
  readonly persistentSettings: Settings;
  readonly customs: readonly (readonly [string, Json])[];
}

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
