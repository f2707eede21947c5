/** Settings of a new index, completed by the proposer: uuid, creation date and version must be in the task. */
import { setKey } from "@orrery/stdx";
import type { IndexUuid } from "@orrery/stdx";
import { clusterSetting } from "./settings/registry.ts";
import type { ClusterState, Settings, SettingsChange } from "./types.ts";

/** An index to be created. */
export interface NewIndex {
  readonly name: string;
  /** The client's name for it, with date math; default: `name`. */
  readonly providedName?: string;
  readonly uuid: IndexUuid;
  readonly creationDateMs: number;
  /** Flat settings of the request and of templates. */
  readonly requested: SettingsChange;
}

/** `index.version.created` of 3.8.0. */
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
