/**
 * `disk_threshold`: no new copies above the low watermark of a disk, none remains above the high one
 * (`DiskThresholdDecider`).
 */
import { clusterSetting, type ShardRouting } from "@orrery/cluster-state";
import { formatByteSize } from "@orrery/stdx";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Verdict } from "../decision.ts";
import { javaDouble, usageOf, watermarkOf, type Usage, type Watermark } from "../disk-usage.ts";
import { expectedSize } from "../shard-size.ts";
import type { RoutingNode } from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

const LABEL = "disk_threshold";
const PREFIX = "cluster.routing.allocation.disk";

export const diskThreshold: Decider = { canAllocate, canRemain };

/** The verdict when disks are not considered; `undefined` when they are. */
function notApplicable({ routing, state, inputs }: Allocation): Verdict | undefined {
  if (!clusterSetting(state, `${PREFIX}.threshold_enabled`)) {
    return yes(LABEL, () => "the disk threshold decider is disabled");
  }
  const isSingleToo = clusterSetting(state, `${PREFIX}.watermark.enable_for_single_data_node`);
  if (!isSingleToo && routing.nodes.size <= 1) {
    return yes(LABEL, () => "there is only a single data node present");
  }
  if (inputs.info === undefined) return yes(LABEL, () => "the cluster info is unavailable");
  if (inputs.info.diskUsages.size > 0) return undefined;
  return yes(LABEL, () => "disk usages are unavailable");
}

function canAllocate(copy: ShardRouting, node: RoutingNode, allocation: Allocation): Verdict {
  const usage = usageOf(allocation, node, false);
  const early = notApplicable(allocation);
  if (early !== undefined || usage === undefined) {
    return early ?? yes(LABEL, () => "disk usages are unavailable");
  }
  if (usage.freeBytes < 0) {
    const { arrivingBytes, freeBytes } = usage;
    return no(
      LABEL,
      () =>
        `the node has fewer free bytes remaining than the total size of all incoming shards: free space [${freeBytes + arrivingBytes}B], relocating shards [${arrivingBytes}B]`,
    );
  }
  const low = watermarkOf(allocation.state, "low");
  const high = watermarkOf(allocation.state, "high");
  const isNewPrimary =
    copy.primary && copy.state === "UNASSIGNED" && copy.recoverySource?.type === "EMPTY_STORE";
  if (isBelow(usage, low)) {
    if (!isNewPrimary) return aboveWatermark("low", low, usage);
    if (isBelow(usage, high)) return aboveWatermark("high", high, usage);
    return yes(
      LABEL,
      () =>
        "the node is above the low watermark, but less than the high watermark, and this primary shard has never been allocated before",
    );
  }
  return afterShard(expectedSize(allocation, copy), usage, high);
}

function isBelow({ freeBytes, freePercent }: Usage, watermark: Watermark): boolean {
  return freeBytes < watermark.freeBytes || freePercent < watermark.freePercent;
}

function aboveWatermark(name: "low" | "high", watermark: Watermark, usage: Usage): Verdict {
  const start = `the node is above the ${name} watermark cluster setting [${watermark.key}=${watermark.raw}]`;
  if (usage.freeBytes < watermark.freeBytes) {
    return no(
      LABEL,
      () =>
        `${start}, having less than the minimum required [${formatByteSize(watermark.freeBytes)}] free space, actual free: [${formatByteSize(usage.freeBytes)}]`,
    );
  }
  return no(
    LABEL,
    () =>
      `${start}, using more disk space than the maximum allowed [${javaDouble(100 - watermark.freePercent)}%], actual free: [${javaDouble(usage.freePercent)}%]`,
  );
}

function afterShard(sizeBytes: number, usage: Usage, high: Watermark): Verdict {
  const freeBytes = usage.freeBytes - sizeBytes;
  const freePercent = usage.totalBytes === 0 ? 100 : (freeBytes / usage.totalBytes) * 100;
  const start = `allocating the shard to this node will bring the node above the high watermark cluster setting [${high.key}=${high.raw}] and cause it to`;
  if (freeBytes < high.freeBytes) {
    return no(
      LABEL,
      () =>
        `${start} have less than the minimum required [${formatByteSize(high.freeBytes)}] of free space (free: [${formatByteSize(usage.freeBytes)}], estimated shard size: [${formatByteSize(sizeBytes)}])`,
    );
  }
  if (freePercent < high.freePercent) {
    return no(
      LABEL,
      () =>
        `${start} use more disk space than the maximum allowed [${javaDouble(100 - high.freePercent)}%] (free space after shard added: [${javaDouble(freePercent)}%])`,
    );
  }
  return yes(
    LABEL,
    () =>
      `enough disk for shard on node, free: [${formatByteSize(usage.freeBytes)}], shard size: [${formatByteSize(sizeBytes)}], free after allocating shard: [${formatByteSize(freeBytes)}]`,
  );
}

function canRemain(_: ShardRouting, node: RoutingNode, allocation: Allocation): Verdict {
  const usage = usageOf(allocation, node, true);
  const early = notApplicable(allocation);
  if (early !== undefined || usage === undefined) {
    return early ?? yes(LABEL, () => "disk usages are unavailable");
  }
  const start = "the shard cannot remain on this node because";
  const { arrivingBytes, freeBytes, freePercent } = usage;
  if (freeBytes < 0) {
    return no(
      LABEL,
      () =>
        `${start} the node has fewer free bytes remaining than the total size of all incoming shards: free space [${freeBytes + arrivingBytes}], relocating shards [${arrivingBytes}]`,
    );
  }
  const high = watermarkOf(allocation.state, "high");
  const above = `${start} it is above the high watermark cluster setting [${high.key}=${high.raw}] and there is less than the required`;
  if (freeBytes < high.freeBytes) {
    return no(
      LABEL,
      () =>
        `${above} [${formatByteSize(high.freeBytes)}] free space on node, actual free: [${formatByteSize(freeBytes)}]`,
    );
  }
  if (freePercent < high.freePercent) {
    return no(
      LABEL,
      () =>
        `${above} [${javaDouble(high.freePercent)}%] free disk on node, actual free: [${javaDouble(freePercent)}%]`,
    );
  }
  return yes(
    LABEL,
    () =>
      `there is enough disk on this node for the shard to remain, free: [${formatByteSize(freeBytes)}]`,
  );
}
