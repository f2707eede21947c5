/**
 * The order of indices: system indices first, then by `index.priority`, newest first, then by name
 * (`PriorityComparator`).
 */
import {
  indexSetting,
  type ClusterState,
  type IndexMetadata,
  type ShardRouting,
} from "@orrery/cluster-state";
import { compareText } from "@orrery/stdx";

type Compare = (a: ShardRouting, b: ShardRouting) => number;

/**
 * Compares copies by their indices, in this file's order: system indices first, then the higher priority, the newer
 * index, and the later name. Copies of one index are equal.
 */
export function byPriority({ metadata }: ClusterState): Compare {
  const read = new Map<string, Priority | undefined>();
  const priorityOf = (index: string): Priority | undefined => {
    if (read.has(index)) return read.get(index);
    const priority = readPriority(metadata.indices.get(index));
    read.set(index, priority);
    return priority;
  };
  return (a, b) => {
    if (a.index === b.index) return 0;
    const left = priorityOf(a.index);
    const right = priorityOf(b.index);
    if (left === undefined || right === undefined) return compareText(a.index, b.index);
    return (
      Number(right.isSystem) - Number(left.isSystem) ||
      right.priority - left.priority ||
      right.creationDateMs - left.creationDateMs ||
      compareText(b.index, a.index)
    );
  };
}

interface Priority {
  readonly isSystem: boolean;
  readonly priority: number;
  readonly creationDateMs: number;
}

function readPriority(metadata: IndexMetadata | undefined): Priority | undefined {
  if (metadata === undefined) return undefined;
  const { isSystem, creationDateMs } = metadata;
  return { isSystem, creationDateMs, priority: indexSetting(metadata, "index.priority") };
}
