/**
 * The directives of the quorum transcripts: committed and vote, for one majority or two.
 *
 * As upstream, each result is computed in other ways as well, and any difference is printed.
 */
import {
  ascending,
  committedIndex,
  unboundedIndex,
  majorityCommittedIndex,
  majorityVoteResult,
  voteResult,
  voterIds,
  type AckedIndex,
  type Halves,
} from "../src/quorum.ts";
import type { Directive } from "./transcript.ts";

type Ids = ReadonlySet<number>;

interface Question {
  readonly incoming: readonly number[];
  readonly outgoing: readonly number[];
  readonly isJoint: boolean;
  /** In the order of the voters; 0 where nothing is known. A vote is 1 (no) or 2 (yes). */
  readonly indexes: readonly number[];
  readonly votes: readonly number[];
}

export function answerQuorumDirective(directive: Directive): string {
  const question = parse(directive);
  const halves: Halves = {
    incoming: new Set(question.incoming),
    outgoing: new Set(question.outgoing),
  };
  const input = directive.command === "vote" ? question.votes : question.indexes;
  const voters = voterIds(halves);
  if (voters.length !== input.length) {
    const ids = voters.map((id) => `${id}:{}`).join(" ");
    return `error: mismatched input (explicit or _) for voters map[${ids}]: [${input.join(" ")}]`;
  }
  const known = assign(input, [...question.incoming, ...question.outgoing]);
  switch (directive.command) {
    case "committed":
      return question.isJoint ? jointCommitted(halves, known) : committed(halves.incoming, known);
    case "vote":
      return question.isJoint ? jointVote(halves, known) : vote(halves.incoming, known);
    default:
      throw new Error(`unknown command: ${directive.command}`);
  }
}

function parse({ arguments: words }: Directive): Question {
  const values = (key: string): readonly string[] =>
    words.find((word) => word.key === key)?.values ?? [];
  for (const { key } of words) {
    if (!["cfg", "cfgj", "idx", "votes"].includes(key)) throw new Error(`unknown arg ${key}`);
  }
  const outgoing = values("cfgj");
  return {
    incoming: values("cfg").map(Number),
    outgoing: outgoing[0] === "zero" ? [] : outgoing.map(Number),
    isJoint: words.some(({ key }) => key === "cfgj"),
    indexes: values("idx").map((value) => (value === "_" ? 0 : Number(value))),
    votes: values("votes").map((value) => ["_", "n", "y"].indexOf(value)),
  };
}

/** Gives the values to the voters in order; one that is in both halves gets its value once. */
function assign(values: readonly number[], ids: readonly number[]): ReadonlyMap<number, number> {
  const distinct = [...new Set(ids)];
  const pairs = distinct.map((id, at): [number, number] => [id, values[at] ?? 0]);
  return new Map(pairs.filter(([, value]) => value !== 0));
}

function committed(voters: Ids, known: ReadonlyMap<number, number>): string {
  const acked: AckedIndex = (id) => known.get(id);
  const none: Ids = new Set();
  const index = majorityCommittedIndex(voters, acked);
  let text = describe(voters, known);
  const expectSame = (actual: number, how: string): void => {
    if (actual !== index) text += `${show(actual)} <-- ${how}\n`;
  };
  expectSame(alternativeCommitted(voters, known), "via alternative computation");
  expectSame(committedIndex({ incoming: voters, outgoing: none }, acked), "via zero-joint quorum");
  expectSame(
    committedIndex({ incoming: voters, outgoing: voters }, acked),
    "via self-joint quorum",
  );
  for (const id of voters) {
    const own = known.get(id) ?? 0;
    if (!(index > own && own > 0)) continue;
    // An index that is below the result does not matter, so lowering it further changes nothing.
    for (const lowered of [own - 1, 0]) {
      const overlay = new Map(known).set(id, lowered);
      const actual = majorityCommittedIndex(voters, (each) => overlay.get(each));
      if (actual !== index) {
        text += `${show(actual)} <-- overlaying ${id}->${lowered === 0 ? 0 : own}`;
      }
    }
  }
  return `${text}${show(index)}\n`;
}

function jointCommitted(halves: Halves, known: ReadonlyMap<number, number>): string {
  const acked: AckedIndex = (id) => known.get(id);
  const swapped: Halves = { incoming: halves.outgoing, outgoing: halves.incoming };
  const index = committedIndex(halves, acked);
  const symmetric = committedIndex(swapped, acked);
  const difference = symmetric === index ? "" : `${show(symmetric)} <-- via symmetry\n`;
  return `${describe(new Set(voterIds(halves)), known)}${difference}${show(index)}\n`;
}

function vote(voters: Ids, known: ReadonlyMap<number, number>): string {
  return `${majorityVoteResult(voters, votesOf(known))}\n`;
}

function jointVote(halves: Halves, known: ReadonlyMap<number, number>): string {
  const votes = votesOf(known);
  const result = voteResult(halves, votes);
  const symmetric = voteResult({ incoming: halves.outgoing, outgoing: halves.incoming }, votes);
  const difference = symmetric === result ? "" : `${symmetric} <-- via symmetry\n`;
  return `${difference}${result}\n`;
}

function votesOf(known: ReadonlyMap<number, number>): ReadonlyMap<number, boolean> {
  return new Map([...known].map(([id, value]) => [id, value !== 1]));
}

/** Slow and obvious: the largest index for which a majority is at least as far. */
function alternativeCommitted(voters: Ids, known: ReadonlyMap<number, number>): number {
  if (voters.size === 0) return unboundedIndex;
  const indexes = [...voters].flatMap((id) => known.get(id) ?? []);
  const majority = Math.floor(voters.size / 2) + 1;
  const isReached = (index: number): boolean =>
    indexes.filter((each) => each >= index).length >= majority;
  return Math.max(0, ...indexes.filter(isReached));
}

/** A bar per voter: the i-th largest index gets a bar of length i; equal indexes get equal bars. */
function describe(voters: Ids, known: ReadonlyMap<number, number>): string {
  if (voters.size === 0) return "<empty majority quorum>";
  const ids = ascending(voters);
  const byIndex = ids.toSorted((a, b) => (known.get(a) ?? 0) - (known.get(b) ?? 0) || a - b);
  const bars = new Map<number, number>();
  for (const [at, id] of byIndex.entries()) {
    const before = byIndex[at - 1];
    const isHigher = before !== undefined && (known.get(before) ?? 0) < (known.get(id) ?? 0);
    bars.set(id, isHigher ? at : (bars.get(before ?? 0) ?? 0));
  }
  let text = `${" ".repeat(ids.length)}    idx\n`;
  for (const id of ids) {
    const bar = bars.get(id) ?? 0;
    const line = known.has(id)
      ? `${"x".repeat(bar)}>${" ".repeat(ids.length - bar)}`
      : `?${" ".repeat(ids.length)}`;
    text += `${line} ${String(known.get(id) ?? 0).padStart(5)}    (id=${id})\n`;
  }
  return text;
}

function show(index: number): string {
  return index === unboundedIndex ? "∞" : String(index);
}
