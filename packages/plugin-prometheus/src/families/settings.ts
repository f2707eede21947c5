/** Cluster settings as figures: the disk watermarks of allocation. */
import { clusterSetting, type ClusterState } from "@orrery/cluster-state";
import { parseByteSize } from "@orrery/stdx";
import type { Family } from "../family.ts";

const DISK = "cluster.routing.allocation.disk";

/** A watermark is a share of the disk, or a number of free bytes; the family of the other unit has no sample. */
export function settingFamilies(
  state: ClusterState,
  labels: Readonly<Record<string, string>>,
): readonly Family[] {
  const isEnabled = clusterSetting(state, `${DISK}.threshold_enabled`);
  return [
    {
      name: "cluster_routing_allocation_disk_threshold_enabled",
      help: "Disk allocation decider is enabled",
      type: "gauge",
      samples: [{ labels, value: isEnabled ? 1 : 0 }],
    },
    ...(["low", "high", "flood_stage"] as const).flatMap((level): Family[] => {
      const given = clusterSetting(state, `${DISK}.watermark.${level}`);
      const percent = percentOf(given);
      const bytes = percent === undefined ? parseByteSize(given) : undefined;
      const name = `cluster_routing_allocation_disk_watermark_${level}`;
      const words = `${titles[level]} watermark for disk usage in`;
      const sample = (value: number | undefined) =>
        value === undefined ? [] : [{ labels, value }];
      return [
        { name: `${name}_bytes`, help: `${words} bytes`, type: "gauge", samples: sample(bytes) },
        { name: `${name}_pct`, help: `${words} pct`, type: "gauge", samples: sample(percent) },
      ];
    }),
  ];
}

const titles = { low: "Low", high: "High", flood_stage: "Flood stage" } as const;

/** The used share in percent: `85%` and `0.85` alike; `undefined` for a size. */
function percentOf(given: string): number | undefined {
  if (given.endsWith("%")) return Number(given.slice(0, -1));
  const ratio = Number(given);
  return given !== "" && ratio >= 0 && ratio <= 1 ? ratio * 100 : undefined;
}
