/**
 * Reduction of concurrent cases to the one among the suspects that shows the finding, or to few that show it together.
 *
 * A single suspect is reduced like any case. Several are first run one after the other in a new session that is checked
 * after every case: the first that shows the finding is the result. If none does, halves of them are run concurrently.
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
  /** All cases of the world so far, the last suspect last. */
  readonly cases: readonly Json[];
  /** Positions of the suspects among the cases; empty if no case is suspected. */
  readonly suspects: readonly number[];
}

type ReductionContext = Pick<ReduceOptions, "target" | "cell" | "session">;

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

/** Position of the first case after which the finding appears. */
async function firstToShow(
  { target, cell, session }: ReductionContext,
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

/** Runs all cases concurrently; returns the first finding. */
export async function runAllTogether(
  { target, cell, session }: ReductionContext,
  cases: readonly Json[],
): Promise<Finding | undefined> {
  const atOpening = await cell.open({ ...session, inFlight: cases.length });
  if (atOpening !== undefined) return atOpening;
  const ran = await cell.runTogether(cases);
  const settled = ran.isSpent ? undefined : await cell.settle();
  const [first] = [...ran.suspicions, ...(settled?.suspicions ?? [])];
  return first && named(target, first.finding, cases[first.suspects.at(-1) ?? 0] ?? null);
}
