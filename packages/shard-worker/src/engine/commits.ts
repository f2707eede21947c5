/** Which commits are kept: from the newest whose operations are all globally safe on. Source: `CombinedDeletionPolicy`. */
import type { Commit } from "../store/commit.ts";

/** The newest commit that holds nothing above the global checkpoint, else the oldest. */
export function safeCommit(
  commits: readonly Commit[],
  globalCheckpoint: number,
): Commit | undefined {
  return commits.findLast((commit) => commit.maxSeqNo <= globalCheckpoint) ?? commits[0];
}

/** The newest commit with whose translog history is complete from `seqNo` on, else the oldest. */
export function commitBefore(commits: readonly Commit[], seqNo: number): Commit | undefined {
  return commits.findLast((commit) => translogFrom(commit) <= seqNo) ?? commits[0];
}

/** Every operation from here on is in the commit's generation of the translog, or in a later one. */
export function translogFrom({ maxSeqNo }: Pick<Commit, "maxSeqNo">): number {
  return maxSeqNo + 1;
}

export function keptCommits(
  commits: readonly Commit[],
  oldest: Commit | undefined,
  pinned: ReadonlyMap<number, number>,
): Commit[] {
  return commits.filter(
    ({ generation }) =>
      oldest === undefined || generation >= oldest.generation || pinned.has(generation),
  );
}
