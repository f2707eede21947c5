/**
 * Majorities, and pairs of majorities that must agree (joint consensus; package `quorum` of etcd-io/raft).
 *
 * Pure arithmetic over sets of ids, without logs or messages. INV-COMMIT-1 rests on `committedIndex`, INV-ELECTION-1
 * on `voteResult`: any two majorities of one set have a member in common.
 */
/** The state of an election. VoteLost: a majority can no longer be reached. */
export type VoteResult = "VotePending" | "VoteLost" | "VoteWon";

/**
 * The committed index of an empty set of voters: no bound, so that an empty outgoing half never holds back the
 * incoming one.
 */
export const unboundedIndex: number = Number.POSITIVE_INFINITY;

/** The voters of a configuration. The outgoing half is empty unless it is joint. */
export interface Halves {
  readonly incoming: ReadonlySet<number>;
  readonly outgoing: ReadonlySet<number>;
}

/** The highest index that a voter has acknowledged; undefined when none is known. */
export type AckedIndex = (id: number) => number | undefined;

/** The largest index that a majority of the voters has acknowledged; a voter without acknowledgement counts as 0. */
export function majorityCommittedIndex(voters: ReadonlySet<number>, acked: AckedIndex): number {
  if (voters.size === 0) return unboundedIndex;
  const indexes: number[] = [];
  for (const id of voters) indexes.push(acked(id) ?? 0);
  indexes.sort((a, b) => a - b);
  // In ascending order a majority of the indexes lies at this position or above.
  return indexes[voters.size - majority(voters)] ?? 0;
}

/** The largest index that both halves have committed (paper, section 6: agreement needs separate majorities). */
export function committedIndex(halves: Halves, acked: AckedIndex): number {
  return Math.min(
    majorityCommittedIndex(halves.incoming, acked),
    majorityCommittedIndex(halves.outgoing, acked),
  );
}

/** Pending while the missing votes could still decide the election. An empty set of voters has granted. */
export function majorityVoteResult(
  voters: ReadonlySet<number>,
  votes: ReadonlyMap<number, boolean>,
): VoteResult {
  if (voters.size === 0) return "VoteWon";
  let granted = 0;
  let missing = 0;
  for (const id of voters) {
    const vote = votes.get(id);
    if (vote === undefined) missing += 1;
    else if (vote) granted += 1;
  }
  if (granted >= majority(voters)) return "VoteWon";
  return granted + missing >= majority(voters) ? "VotePending" : "VoteLost";
}

/** Won only when both halves have granted, lost as soon as one of them is lost. */
export function voteResult(halves: Halves, votes: ReadonlyMap<number, boolean>): VoteResult {
  const incoming = majorityVoteResult(halves.incoming, votes);
  const outgoing = majorityVoteResult(halves.outgoing, votes);
  if (incoming === outgoing) return incoming;
  return incoming === "VoteLost" || outgoing === "VoteLost" ? "VoteLost" : "VotePending";
}

/** The voters of both halves, ascending. */
export function voterIds(halves: Halves): number[] {
  return ascending(new Set([...halves.incoming, ...halves.outgoing]));
}

/** A sorted copy, by number: the default order of `toSorted` is by text. */
export function ascending(ids: Iterable<number>): number[] {
  return [...ids].toSorted((a, b) => a - b);
}

function majority(voters: ReadonlySet<number>): number {
  return Math.floor(voters.size / 2) + 1;
}
