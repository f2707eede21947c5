/** What a proposer decides before it asks for an index: its complete settings. */
import { setKey } from "@orrery/stdx";
import type { IndexUuid } from "@orrery/stdx";
import { clusterSetting } from "./settings/registry.ts";
import type { ClusterState, Settings, SettingsChange } from "./types.ts";

export interface NewIndex {
  readonly name: string;
  /** As the client wrote it, date math included. */
  readonly providedName?: string;
  readonly uuid: IndexUuid;
  readonly creationDateMs: number;
  /** Flat; from the request and from templates. */
  readonly requested: SettingsChange;
}

/** `137297827` stands for 3.8.0. */
export const VERSION_CREATED = "137297827";

/** Requested settings with defaults, uuid, creation date, version and provided name. */
export function completeIndexSettings(state: ClusterState, index: NewIndex): Settings {
  const settings: Record<string, string | readonly string[]> = {};
  for (const [key, value] of Object.entries(index.requested)) {
    if (value !== null) setKey(settings, key, value);
  }
  const replicas = clusterSetting(state, "cluster.default_number_of_replicas");
  return {
    "index.number_of_shards": "1",
    "index.number_of_replicas": String(replicas),
    "index.replication.type": "DOCUMENT",
    "index.creation_date": String(index.creationDateMs),
    ...settings,
    "index.provided_name": index.providedName ?? index.name,
    "index.uuid": index.uuid,
    "index.version.created": VERSION_CREATED,
  };
}
