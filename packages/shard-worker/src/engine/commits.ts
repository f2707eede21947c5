/** Which commits are kept: the newest, and the newest whose operations are all globally safe. Source: `CombinedDeletionPolicy`. */
import type { Commit } from "../store/commit.ts";

/** The newest commit that holds nothing above the global checkpoint, else the oldest. */
export function safeCommit(
  commits: readonly Commit[],
  globalCheckpoint: number,
): Commit | undefined {
  return commits.findLast((commit) => commit.maxSeqNo <= globalCheckpoint) ?? commits[0];
}

export function keptCommits(
  commits: readonly Commit[],
  globalCheckpoint: number,
  pinned: ReadonlyMap<number, number>,
): Commit[] {
  const safe = safeCommit(commits, globalCheckpoint);
  return commits.filter(
    ({ generation }) =>
      safe === undefined || generation >= safe.generation || pinned.has(generation),
  );
}
