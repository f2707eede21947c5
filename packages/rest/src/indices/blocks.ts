/** Cluster blocks, asked before a change is proposed. */
import { checkBlock, type BlockLevel, type ClusterState } from "@orrery/cluster-state";
import { fail } from "@orrery/stdx";

export function passBlocks(state: ClusterState, level: BlockLevel, names: readonly string[]): void {
  const problem = checkBlock(state, level, names);
  if (problem !== undefined) fail(problem);
}
