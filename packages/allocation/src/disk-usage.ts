/** Disk usages of nodes including shards on their way, and watermarks as the share or the bytes that must stay free. */
import { clusterSetting, type ClusterState } from "@orrery/cluster-state";
import { parseByteSize } from "@orrery/stdx";
import type { Allocation } from "./allocation.ts";
import type { RoutingNode } from "./routing-nodes.ts";
import { expectedSize } from "./shard-size.ts";

/** The usage of one node's disk. */
export interface Usage {
  readonly totalBytes: number;
  /** Free bytes after all arriving shards; may be negative. */
  readonly freeBytes: number;
  readonly freePercent: number;
  readonly arrivingBytes: number;
}

/** A watermark in force; at least one of its limits is 0. */
export interface Watermark {
  readonly key: string;
  readonly raw: string;
  readonly freeBytes: number;
  readonly freePercent: number;
}

/**
 * The watermark of this name. A percentage or ratio in the setting limits used space, a byte size limits free space, as
 * in the product.
 */
export function watermarkOf(state: ClusterState, name: "low" | "high" | "flood_stage"): Watermark {
  const key = `cluster.routing.allocation.disk.watermark.${name}` as const;
  const raw = clusterSetting(state, key);
  const used = raw.endsWith("%") ? Number(raw.slice(0, -1)) : Number(raw) * 100;
  if (Number.isNaN(used)) return { key, raw, freeBytes: parseByteSize(raw) ?? 0, freePercent: 0 };
  return { key, raw, freeBytes: 0, freePercent: 100 - used };
}

/**
 * The usage of a node; `undefined` without any figures. A node without a figure of its own gets the average of all
 * others. `subtractLeaving`: shards that leave count as gone.
 */
export function usageOf(
  allocation: Allocation,
  { node }: RoutingNode,
  subtractLeaving: boolean,
): Usage | undefined {
  const { info } = allocation.inputs;
  const usage =
    info === undefined ? undefined : (info.diskUsages.get(node.id) ?? average(allocation));
  if (usage === undefined) return undefined;
  const counts = clusterSetting(
    allocation.state,
    "cluster.routing.allocation.disk.include_relocations",
  );
  let arrivingBytes = counts ? (info?.reservedBytes?.get(node.id) ?? 0) : 0;
  if (counts) {
    // These sets are small compared with the copies of a node.
    const { initializing, relocating } = allocation.routing;
    for (const copy of initializing) {
      if (copy.nodeId === node.id) arrivingBytes += expectedSize(allocation, copy);
    }
    for (const copy of subtractLeaving ? relocating : []) {
      if (copy.nodeId === node.id) arrivingBytes -= expectedSize(allocation, copy);
    }
  }
  const { totalBytes } = usage;
  const freeBytes = usage.freeBytes - arrivingBytes;
  const freePercent = totalBytes === 0 ? 100 : (freeBytes / totalBytes) * 100;
  return { totalBytes, freeBytes, freePercent, arrivingBytes };
}

function average({
  inputs,
}: Allocation): { readonly totalBytes: number; readonly freeBytes: number } | undefined {
  const usages = [...(inputs.info?.diskUsages.values() ?? [])];
  if (usages.length === 0) return undefined;
  const mean = (sum: number): number => Math.floor(sum / usages.length);
  return {
    totalBytes: mean(usages.reduce((sum, { totalBytes }) => sum + totalBytes, 0)),
    freeBytes: mean(usages.reduce((sum, { freeBytes }) => sum + freeBytes, 0)),
  };
}

/** Prints a number as Java prints a double: `85.0`. */
export function javaDouble(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
