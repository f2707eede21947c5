/**
 * The deletion policy of commits (`CombinedDeletionPolicy`): the safe commit and all newer ones are kept, and pinned
 * ones.
 */
import type { Commit } from "../store/commit.ts";

/**
 * The newest commit without operations above the global checkpoint, else the oldest: a roll-back opens it, since
 * later operations may be replaced by a new primary. `commits` is ascending; `undefined` only for an empty list.
 */
export function safeCommit(
  commits: readonly Commit[],
  globalCheckpoint: number,
): Commit | undefined {
  return commits.findLast((commit) => commit.maxSeqNo <= globalCheckpoint) ?? commits[0];
}

/**
 * The newest commit from whose translog generation on the history is complete from `seqNo`, else the oldest. For
 * indices whose segments do not hold the documents as they were sent.
 */
export function commitBefore(commits: readonly Commit[], seqNo: number): Commit | undefined {
  return commits.findLast((commit) => translogFrom(commit) <= seqNo) ?? commits[0];
}

/** The sequence number from which the commit's translog generation and later ones hold every operation. */
export function translogFrom({ maxSeqNo }: Pick<Commit, "maxSeqNo">): number {
  return maxSeqNo + 1;
}

/** The commits to keep: `oldest`, newer and pinned ones; all of them without `oldest`. */
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
