/** Checks of cluster blocks before a task is submitted. */
import { checkBlock, type BlockLevel, type ClusterState } from "@orrery/cluster-state";
import { fail } from "@orrery/stdx";

/** Throws when a block forbids operations of this level, on the cluster or one of the indices. */
export function passBlocks(state: ClusterState, level: BlockLevel, names: readonly string[]): void {
  const problem = checkBlock(state, level, names);
  if (problem !== undefined) fail(problem);
}

/** Like `passBlocks`, but ignores retryable blocks: the elected cluster manager waits until these are lifted. */
export function passPermanentBlocks(
  state: ClusterState,
  level: BlockLevel,
  names: readonly string[],
): void {
  const problem = checkBlock(state, level, names);
  if (problem !== undefined && problem.isRetryable !== true) fail(problem);
}
