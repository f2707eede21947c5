/**
 * From cases that ran beside each other to the one among the suspects that shows the finding, or to few that show it together.
 *
 * A single suspect is reduced as any case. Of several, each is first run alone after those before it, in a new session that is
 * looked at after every case: the first that shows the finding is it. If none does, halves of them are run beside each other.
 */
import type { Json } from "@orrery/stdx";
import {
  createTrial,
  named,
  reduce,
  reduceWith,
  type Reduced,
  type ReduceOptions,
} from "./reduce.ts";
import type { Finding } from "./target.ts";

export interface Suspected {
  /** All cases that the world had seen, the last suspect last. */
  readonly cases: readonly Json[];
  /** Positions among them; none: any. */
  readonly suspects: readonly number[];
}

type Trying = Pick<ReduceOptions, "target" | "cell" | "session">;

export async function reduceTogether(
  options: ReduceOptions,
  { cases, suspects }: Suspected,
  finding: Finding,
): Promise<Reduced> {
  if (suspects.length === 0) return { cases, finding, isReproduced: false };
  if (suspects.length === 1) return reduce(options, cases, finding);
  const suspected = suspects.map((at) => cases[at] ?? null);
  const shown = await firstToShow(options, suspected, finding.cause);
  if (shown !== undefined) return reduce(options, suspected.slice(0, shown + 1), finding);
  const shows = createTrial(options, finding.cause, runAllTogether);
  const inTurn = await reduceWith(shows, options.target, { cases: suspected, finding });
  return inTurn.isReproduced
    ? { ...inTurn, isTogether: true }
    : { cases, finding, isReproduced: false };
}

/** The position of the case after which the finding is there. */
async function firstToShow(
  { target, cell, session }: Trying,
  cases: readonly Json[],
  cause: string,
): Promise<number | undefined> {
  if ((await cell.open(session)) !== undefined) return undefined;
  for (const [i, given] of cases.entries()) {
    const { finding, isSpent } = await cell.run(given);
    if (finding === undefined) continue;
    if (named(target, finding, given).cause === cause) return i;
    if (isSpent === true) return undefined;
  }
  return undefined;
}

/** All beside each other: the first finding that is seen. */
export async function runAllTogether(
  { target, cell, session }: Trying,
  cases: readonly Json[],
): Promise<Finding | undefined> {
  const atOpening = await cell.open({ ...session, inFlight: cases.length });
  if (atOpening !== undefined) return atOpening;
  const ran = await cell.runTogether(cases);
  const settled = ran.isSpent ? undefined : await cell.settle();
  const [first] = [...ran.suspicions, ...(settled?.suspicions ?? [])];
  return first && named(target, first.finding, cases[first.suspects.at(-1) ?? 0] ?? null);
}
