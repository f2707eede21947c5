/** Changes cluster settings (`SettingsUpdater`); null resets a key, or every key that a wildcard matches. */
import { withAutoExpandedReplicas } from "../auto-expand.ts";
import { withSettingBlocks } from "../blocks.ts";
import { changeSettings, type Changed } from "../settings/change.ts";
import { conflictOf } from "../settings/conflicts.ts";
import type { ClusterState, Outcome, Settings, SettingsChange } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";
import type { Rules } from "../rules.ts";

export interface UpdateClusterSettings {
  readonly kind: "update-cluster-settings";
  readonly persistent: SettingsChange;
  readonly transient: SettingsChange;
}

/**
 * Changes cluster settings. Rejected for an unknown, static or invalid setting, and when two of the resulting settings
 * conflict.
 */
export function updateClusterSettings(
  state: ClusterState,
  task: UpdateClusterSettings,
  { settings: known }: Rules,
): Outcome {
  const { metadata } = state;
  const transient = changeSettings(metadata.transientSettings, task.transient, {
    table: known.cluster,
    type: "transient",
    onlyDynamic: true,
  });
  if (transient.kind === "rejected") return transient;
  const persistent = changeSettings(metadata.persistentSettings, task.persistent, {
    table: known.cluster,
    type: "persistent",
    onlyDynamic: true,
  });
  if (persistent.kind === "rejected") return persistent;
  if (transient.kind === "same" && persistent.kind === "same") return unchanged;
  const next: ClusterState = {
    ...state,
    metadata: {
      ...metadata,
      transientSettings: settingsAfter(transient, metadata.transientSettings),
      persistentSettings: settingsAfter(persistent, metadata.persistentSettings),
    },
  };
  const error = conflictOf(next);
  return error === undefined ? updated(followed(next)) : rejected(error);
}

function settingsAfter(changed: Changed, before: Settings): Settings {
  return changed.kind === "changed" ? changed.settings : before;
}

/** The state with the blocks and automatic replica counts that follow from its settings. */
function followed(state: ClusterState): ClusterState {
  return withAutoExpandedReplicas(withSettingBlocks(state));
}
