/** Which index comes first: system indices, then by `index.priority`, newest first, then by name. Source: `PriorityComparator`. */
import { indexSetting, type ClusterState, type ShardRouting } from "@orrery/cluster-state";
import { compareText } from "@orrery/stdx";

type Compare = (a: ShardRouting, b: ShardRouting) => number;

export function byPriority({ metadata }: ClusterState): Compare {
  return (a, b) => {
    if (a.index === b.index) return 0;
    const left = metadata.indices.get(a.index);
    const right = metadata.indices.get(b.index);
    if (left === undefined || right === undefined) return compareText(a.index, b.index);
    return (
      Number(right.isSystem) - Number(left.isSystem) ||
      indexSetting(right, "index.priority") - indexSetting(left, "index.priority") ||
      right.creationDateMs - left.creationDateMs ||
      compareText(b.index, a.index)
    );
  };
}
