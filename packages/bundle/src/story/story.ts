/**
 * Story of a run: its most important moments in words, chosen from events and cluster states. Equal runs give equal
 * stories. A run in which little happens has a short story.
 */
import type { ObservedState, RecordedEvent } from "../types.ts";
import { narrateCopies } from "./copy-moments.ts";
import { narrateHealth } from "./health-moments.ts";
import type { AddCandidate, Candidate, Moment, Narrator } from "./moment.ts";
import { narrateMembership, narrateNodes } from "./node-moments.ts";
import { narrateRequests } from "./request-moments.ts";
import { listed } from "./words.ts";
import { narrateSteps, narrateWork } from "./work-moments.ts";

export interface Story {
  event(event: RecordedEvent): void;
  /** Cluster state as it is from `atMs` on. Events of its version may have come before. */
  state(atMs: number, state: ObservedState): void;
  /** Sentence of the latest moment; empty before the first. */
  latest(): string;
  /** Ends the story. Called once. */
  end(): EndedStory;
}

export interface EndedStory {
  /** Moments in the order of time. */
  readonly moments: readonly Moment[];
  /** Number of moments that were left out as less important. */
  readonly leftOut: number;
}

const narrators: readonly ((add: AddCandidate) => Narrator)[] = [
  narrateNodes,
  narrateMembership,
  narrateHealth,
  narrateCopies,
  narrateRequests,
  narrateSteps,
  narrateWork,
];

/** Most moments of a story. */
const MOST_MOMENTS = 20;

export function createStory(most: number = MOST_MOMENTS): Story {
  const together = createMerger();
  const all = narrators.map((narrate) => narrate(together.add));
  return {
    event: (event) => {
      for (const narrator of all) narrator.event?.(event);
    },
    state: (atMs, state) => {
      for (const narrator of all) narrator.state?.(atMs, state);
    },
    latest: together.latest,
    end: () => {
      for (const narrator of all) narrator.end?.();
      const candidates = together.all();
      return { moments: chosen(candidates, most), leftOut: Math.max(0, candidates.length - most) };
    },
  };
}

/** Time within which equal candidates are merged. */
const TOGETHER_MS = 400;

interface Merged extends Moment {
  readonly weight: number;
}

function createMerger() {
  const groups: { readonly first: Candidate; readonly members: Candidate[] }[] = [];
  const open = new Map<string, (typeof groups)[number]>();
  return {
    add: (candidate: Candidate): void => {
      const { key, kind, atMs } = candidate;
      const group = key === undefined ? undefined : open.get(`${kind} ${key}`);
      if (group !== undefined && Math.abs(atMs - group.first.atMs) <= TOGETHER_MS) {
        group.members.push(candidate);
        return;
      }
      const fresh = { first: candidate, members: [candidate] };
      groups.push(fresh);
      if (key !== undefined) open.set(`${kind} ${key}`, fresh);
    },
    latest: (): string => {
      const last = groups.at(-1);
      return last === undefined ? "" : merged(last.first, last.members).says;
    },
    all: (): readonly Merged[] => groups.map(({ first, members }) => merged(first, members)),
  };
}

function merged({ atMs, kind, weight }: Candidate, members: readonly Candidate[]): Merged {
  const parts = unique(members.flatMap(({ part }) => part ?? [])).toSorted(compareNames);
  const says = (members.at(-1) as Candidate).says(listed(parts), Math.max(1, parts.length));
  const nodes = unique(members.flatMap((member) => member.nodes ?? []));
  const shards = unique(members.flatMap((member) => member.shards ?? []));
  return { atMs, kind, weight, says, nodes, shards };
}

function unique(all: readonly string[]): readonly string[] {
  return [...new Set(all)];
}

/** Order in which `node-2` precedes `node-10`, independent of the locale. */
function compareNames(a: string, b: string): number {
  const [first, second] = [a, b].map((name) =>
    name.replaceAll(/\d+/g, (digits) => digits.padStart(9, "0")),
  );
  return (first ?? "") < (second ?? "") ? -1 : 1;
}

/** Weight that each chosen moment of the same kind takes from a candidate, so that no kind crowds out the others. */
const REPETITION = 5;
/** Weight that one at the same time takes in addition, so that repeated moments are spread over the run. */
const CLOSENESS = 10;
/** Share of the run beyond which two moments are not close. */
const CLOSE_SHARE = 8;

/** The most important candidates, in the order of time. */
function chosen(candidates: readonly Merged[], most: number): readonly Moment[] {
  const inTime = candidates
    .map((candidate, i) => ({ candidate, i }))
    .toSorted((a, b) => a.candidate.atMs - b.candidate.atMs || a.i - b.i);
  const spanMs = (inTime.at(-1)?.candidate.atMs ?? 0) - (inTime[0]?.candidate.atMs ?? 0);
  const closeMs = Math.max(1, spanMs / CLOSE_SHARE);
  const open = inTime.map(({ candidate }, place) => ({
    ...{ candidate, place, rank: candidate.weight, isChosen: false },
  }));
  for (let count = 0; count < Math.min(most, open.length); count += 1) {
    const best = open.reduce<(typeof open)[number] | undefined>(
      (found, one) => (one.isChosen || (found && found.rank >= one.rank) ? found : one),
      undefined,
    );
    if (best === undefined) break;
    best.isChosen = true;
    const { kind, atMs } = best.candidate;
    for (const one of open) {
      if (one.candidate.kind !== kind) continue;
      const apart = Math.min(1, Math.abs(one.candidate.atMs - atMs) / closeMs);
      one.rank -= REPETITION + CLOSENESS * (1 - apart);
    }
  }
  return open
    .filter(({ isChosen }) => isChosen)
    .map(({ candidate: { atMs, kind, says, nodes, shards } }) => ({
      atMs,
      kind,
      says,
      nodes,
      shards,
    }));
}
