/** Conflicts between cluster settings, checked when a request changes them and when a node starts. */
import { parseByteSize, type Problem } from "@orrery/stdx";
import type { ClusterState } from "../types.ts";
import { keepAliveProblem } from "./keep-alives.ts";
import { clusterSetting } from "./registry.ts";
import { remoteClusterProblem } from "./remote-clusters.ts";

/** The first conflict between effective cluster settings of the state; undefined when there is none. */
export function conflictOf(state: ClusterState): Problem | undefined {
  return watermarkProblem(state) ?? keepAliveProblem(state) ?? remoteClusterProblem(state);
}

/** Disk watermarks that do not ascend from low over high to flood stage, or that mix shares and bytes (`DiskThresholdSettings`). */
function watermarkProblem(state: ClusterState): Problem | undefined {
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
