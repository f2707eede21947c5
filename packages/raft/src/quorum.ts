/**
 * Majorities, and pairs of majorities that must agree (joint consensus).
 *
 * Pure arithmetic over sets of ids: knows nothing of logs or messages. INV-COMMIT-1 rests on
 * `committedIndex`, INV-ELECTION-1 on `voteResult`.
 */
export type VoteResult = "VotePending" | "VoteLost" | "VoteWon";

/** What the empty majority has committed: everything, so that it never holds back the other half. */
export const everything: number = Number.POSITIVE_INFINITY;

/** The second half is empty unless the configuration is joint. */
export interface Halves {
  readonly incoming: ReadonlySet<number>;
  readonly outgoing: ReadonlySet<number>;
}

/** Undefined when nothing is known of the voter. */
export type AckedIndex = (id: number) => number | undefined;

/** The largest index that a majority of the voters has acknowledged. */
export function majorityCommittedIndex(voters: ReadonlySet<number>, acked: AckedIndex): number {
  if (voters.size === 0) return everything;
  const indexes: number[] = [];
  for (const id of voters) indexes.push(acked(id) ?? 0);
  indexes.sort((a, b) => a - b);
  return indexes[voters.size - majority(voters)] ?? 0;
}

export function committedIndex(halves: Halves, acked: AckedIndex): number {
  return Math.min(
    majorityCommittedIndex(halves.incoming, acked),
    majorityCommittedIndex(halves.outgoing, acked),
  );
}

/** Pending while the votes that are missing could still decide it. An empty majority has won. */
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

export function ascending(ids: Iterable<number>): number[] {
  return [...ids].toSorted((a, b) => a - b);
}

function majority(voters: ReadonlySet<number>): number {
  return Math.floor(voters.size / 2) + 1;
}
