/** Cluster blocks, asked before a change is proposed. */
import { checkBlock, type BlockLevel, type ClusterState } from "@orrery/cluster-state";
import { fail } from "@orrery/stdx";

export function passBlocks(state: ClusterState, level: BlockLevel, names: readonly string[]): void {
  const problem = checkBlock(state, level, names);
  if (problem !== undefined) fail(problem);
}

/** As `passBlocks`; a block that will be lifted by itself is waited for where the change is made. */
export function passLastingBlocks(
  state: ClusterState,
  level: BlockLevel,
  names: readonly string[],
): void {
  const problem = checkBlock(state, level, names);
  if (problem !== undefined && problem.isRetryable !== true) fail(problem);
}
