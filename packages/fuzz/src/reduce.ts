/**
 * Reduction of a session's cases, the last of which showed a finding, to few and small ones that show the same.
 *
 * First the last case is run alone, then with more and more of those before it; then cases are removed; then the last
 * one is shrunk. Each attempt runs in a new session, and succeeds only if its finding has the same cause. Attempts and
 * time are limited; the best result so far is reported.
 */
import type { Json } from "@orrery/stdx";
import type { Cell } from "./cell.ts";
import type { Finding, SessionOptions, Target } from "./target.ts";

export interface ReduceOptions {
  readonly target: Target;
  readonly cell: Cell;
  readonly session: SessionOptions;
  readonly mostTries: number;
  readonly mostMs: number;
  readonly nowMs: () => number;
}

export interface Reduced {
  readonly cases: readonly Json[];
  readonly finding: Finding;
  /** True if a new session showed the finding again. */
  readonly isReproduced: boolean;
  /** True if only concurrent cases show it. */
  readonly isTogether?: boolean;
}

export async function reduce(
  options: ReduceOptions,
  cases: readonly Json[],
  finding: Finding,
): Promise<Reduced> {
  return reduceWith(createTrial(options, finding.cause), options.target, { cases, finding });
}

export async function reduceWith(
  shows: Trial,
  target: Target,
  { cases, finding }: Pick<Reduced, "cases" | "finding">,
): Promise<Reduced> {
  let best: Reduced = { cases, finding, isReproduced: false };
  const keep = async (candidate: readonly Json[]): Promise<boolean> => {
    const found = await shows(candidate);
    if (found !== undefined) best = { cases: candidate, finding: found, isReproduced: true };
    return found !== undefined;
  };

  for (let length = 1; !(await keep(cases.slice(-length))); length *= 4) {
    if (length >= cases.length) return best;
  }
  // Long ranges are removed first, as most of a history is irrelevant.
  for (let stretch = best.cases.length - 1; stretch >= 1; stretch = Math.floor(stretch / 2)) {
    for (let from = 0; from + stretch < best.cases.length;) {
      const without = [...best.cases.slice(0, from), ...best.cases.slice(from + stretch)];
      if (!(await keep(without))) from += stretch;
    }
  }
  for (let isSmaller = true; isSmaller && !shows.isOver();) {
    isSmaller = false;
    const last = best.cases.at(-1);
    for (const smaller of target.shrink(last ?? null)) {
      isSmaller = await keep([...best.cases.slice(0, -1), smaller]);
      if (isSmaller || shows.isOver()) break;
    }
  }
  return best;
}

export interface Trial {
  (cases: readonly Json[]): Promise<Finding | undefined>;
  isOver(): boolean;
}

export function createTrial(
  options: ReduceOptions,
  cause: string,
  runCases: typeof runAll = runAll,
): Trial {
  const { target, cell, session, mostTries, mostMs, nowMs } = options;
  const untilMs = nowMs() + mostMs;
  let tries = 0;
  const isOver = (): boolean => tries >= mostTries || nowMs() > untilMs;
  const trial = async (cases: readonly Json[]): Promise<Finding | undefined> => {
    if (isOver()) return undefined;
    tries += 1;
    const found = await runCases({ target, cell, session }, cases);
    return found?.cause === cause ? found : undefined;
  };
  return Object.assign(trial, { isOver });
}

/** Finding of the last case, or of an earlier one that ends the session. */
export async function runAll(
  { target, cell, session }: Pick<ReduceOptions, "target" | "cell" | "session">,
  cases: readonly Json[],
): Promise<Finding | undefined> {
  const atOpening = await cell.open(session);
  if (atOpening !== undefined) return atOpening;
  for (const [i, given] of cases.entries()) {
    const { finding, isSpent } = await cell.run(given);
    if (finding !== undefined && (i === cases.length - 1 || isSpent === true))
      return named(target, finding, given);
  }
  return undefined;
}

/** Adds the kind of request to the cause of a hang, of a growth of memory or of an exit, which have no place in the program. */
export function named(target: Target, finding: Finding, given: Json): Finding {
  const isNamed = !["hang", "memory", "crash: exit"].includes(finding.cause);
  return isNamed ? finding : { ...finding, cause: `${finding.cause}: ${target.family(given)}` };
}
