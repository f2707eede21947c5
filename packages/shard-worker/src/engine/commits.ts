/**
 * The deletion policy of commits (`CombinedDeletionPolicy`): the safe commit and all newer ones are kept, and pinned
 * ones.
 */
import type { Commit } from "../store/commit.ts";

/**
 * The newest commit without operations above the global checkpoint, else the oldest commit; `undefined` only for an
 * empty list. `commits` is ascending. A roll-back opens this commit, since a new primary may replace operations above
 * the checkpoint.
 */
export function safeCommit(
  commits: readonly Commit[],
  globalCheckpoint: number,
): Commit | undefined {
  return commits.findLast((commit) => commit.maxSeqNo <= globalCheckpoint) ?? commits[0];
}

/**
 * The newest commit whose translog, from its generation on, has every operation from `seqNo` on; else the oldest
 * commit. For indices whose segments may lack the source as it was sent (`keepsSource`).
 */
export function commitBefore(commits: readonly Commit[], seqNo: number): Commit | undefined {
  return commits.findLast((commit) => translogFrom(commit) <= seqNo) ?? commits[0];
}

/**
 * The lowest sequence number such that the commit's translog generation and later ones have every operation from it on.
 */
export function translogFrom({ maxSeqNo }: Pick<Commit, "maxSeqNo">): number {
  return maxSeqNo + 1;
}

/** The commits that stay on the disk: `oldest`, newer ones, and pinned ones. `oldest` of `undefined`: all of them. */
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
