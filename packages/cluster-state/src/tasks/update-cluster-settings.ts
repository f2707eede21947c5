/** Changes cluster-wide settings; `null` resets a key, or with a wildcard every key it matches. */
import { parseByteSize, type Problem } from "@orrery/stdx";
import { withAutoExpandedReplicas } from "../auto-expand.ts";
import { withSettingBlocks } from "../blocks.ts";
import { changeSettings, type Changed } from "../settings/change.ts";
import { keepAliveProblem } from "../settings/keep-alives.ts";
import { clusterSetting } from "../settings/registry.ts";
import { remoteClusterProblem } from "../settings/remote-clusters.ts";
import { clusterSettings } from "../settings/table.ts";
import type { ClusterState, Outcome, Settings, SettingsChange } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";

export interface UpdateClusterSettings {
  readonly kind: "update-cluster-settings";
  readonly persistent: SettingsChange;
  readonly transient: SettingsChange;
}

export function updateClusterSettings(state: ClusterState, task: UpdateClusterSettings): Outcome {
  const { metadata } = state;
  const transient = changeSettings(metadata.transientSettings, task.transient, {
    table: clusterSettings,
    type: "transient",
    onlyDynamic: true,
  });
  if (transient.kind === "rejected") return transient;
  const persistent = changeSettings(metadata.persistentSettings, task.persistent, {
    table: clusterSettings,
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
  const error = dependencyProblem(next) ?? keepAliveProblem(next) ?? remoteClusterProblem(next);
  return error === undefined ? updated(followed(next)) : rejected(error);
}

function settingsAfter(changed: Changed, before: Settings): Settings {
  return changed.kind === "changed" ? changed.settings : before;
}

/** Blocks and automatic replicas follow the new settings at once. */
function followed(state: ClusterState): ClusterState {
  return withAutoExpandedReplicas(withSettingBlocks(state));
}

/** Watermarks must rise: low, high, flood stage. Source: `DiskThresholdSettings`. */
function dependencyProblem(state: ClusterState): Problem | undefined {
  const prefix = "cluster.routing.allocation.disk.watermark";
  const low = clusterSetting(state, `${prefix}.low`);
  const high = clusterSetting(state, `${prefix}.high`);
  const flood = clusterSetting(state, `${prefix}.flood_stage`);
  const shares = [low, high, flood].map(shareOf);
  const [lowShare, highShare, floodShare] = shares;
  if (lowShare === undefined || highShare === undefined || floodShare === undefined) {
    return shares.every((share) => share === undefined)
      ? freeBytesProblem(low, high, flood)
      : mixed(low, high, flood);
  }
  if (lowShare > highShare) {
    return illegal(`low disk watermark [${low}] more than high disk watermark [${high}]`);
  }
  return highShare <= floodShare
    ? undefined
    : illegal(`high disk watermark [${high}] more than flood stage disk watermark [${flood}]`);
}

function freeBytesProblem(low: string, high: string, flood: string): Problem | undefined {
  const bytes = (text: string): number => parseByteSize(text) ?? 0;
  if (bytes(low) < bytes(high)) {
    return illegal(`low disk watermark [${low}] less than high disk watermark [${high}]`);
  }
  return bytes(high) >= bytes(flood)
    ? undefined
    : illegal(`high disk watermark [${high}] less than flood stage disk watermark [${flood}]`);
}

function mixed(low: string, high: string, flood: string): Problem {
  return illegal(
    `unable to consistently parse [cluster.routing.allocation.disk.watermark.low=${low}], [cluster.routing.allocation.disk.watermark.high=${high}], and [cluster.routing.allocation.disk.watermark.flood_stage=${flood}] as percentage or bytes`,
  );
}

function shareOf(text: string): number | undefined {
  const share = text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text);
  return Number.isNaN(share) || share > 1 ? undefined : share;
}

function illegal(reason: string): Problem {
  return { type: "illegal_argument_exception", reason, status: 400 };
}
