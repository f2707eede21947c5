/**
 * Shrinking of a failing plan: the smallest plan that fails in the same way, found by removing parts and running again:
 * fewest faults, operations and nodes.
 *
 * A candidate is kept if one of several seeds shows the same violation; later candidates start from it.
 */
import type { JsonObject } from "@orrery/stdx";
import type { Finding } from "../verdict.ts";
import {
  fewerDocuments,
  fewerEntries,
  fewerNodes,
  longerPauses,
  none,
  onlyChecker,
  shorterList,
  smallerValues,
  type Reduction,
} from "./reductions.ts";

export interface ShrinkOptions {
  /** Runs a candidate; `undefined` if it is invalid or passes. */
  readonly failureOf: (plan: JsonObject, seed: number) => Promise<Failure | undefined>;
  readonly isTimeUp: () => boolean;
  /** Reductions in their order; default: those for a plan of a file. */
  readonly steps?: readonly Step[];
}

export interface Failure {
  readonly finding: Finding;
  /** Number of client operations until the failure. */
  readonly operations: number;
}

export interface Shrunk extends Failure {
  readonly plan: JsonObject;
  readonly seed: number;
  readonly runs: number;
}

/**
 * Makes a plan smaller as long as it fails the same way under some seed, the given one first. `undefined` if the plan
 * passes under the given seed.
 */
export async function shrink(
  plan: JsonObject,
  seed: number,
  { failureOf, isTimeUp, steps: given }: ShrinkOptions,
): Promise<Shrunk | undefined> {
  const first = await failureOf(plan, seed);
  if (first === undefined) return undefined;
  let least: Shrunk = { plan, seed, ...first, runs: 1 };
  let runs = 1;
  const seen = new Map<string, Failure | undefined>();

  /** Runs are cached: plan and seed determine the result, so repeating all steps runs only new candidates. */
  const run = async (candidate: JsonObject, one: number): Promise<Failure | undefined> => {
    const key = `${one} ${JSON.stringify(candidate)}`;
    if (seen.has(key)) return seen.get(key);
    runs += 1;
    const failure = await failureOf(candidate, one);
    seen.set(key, failure);
    return failure;
  };

  /** Tries a candidate; true if it was kept. */
  const attempt = async (candidate: JsonObject, mustDoLess: boolean): Promise<boolean> => {
    for (const one of seedsFor(least.seed, first.finding)) {
      if (isTimeUp()) return false;
      const failure = await run(candidate, one);
      if (failure === undefined || !isSameViolation(failure.finding, first.finding)) continue;
      if (mustDoLess && failure.operations >= least.operations) continue;
      least = { plan: candidate, seed: one, ...failure, runs };
      return true;
    }
    return false;
  };

  /** Applies a reduction, restarting from the kept candidate after each success. */
  const exhaust = async ({ reduction, mustDoLess = false }: Step): Promise<boolean> => {
    let isLess = false;
    for (let goesOn = true; goesOn && !isTimeUp();) {
      goesOn = false;
      for (const candidate of reduction(least.plan)) {
        if (!(await attempt(candidate, mustDoLess))) continue;
        goesOn = true;
        break;
      }
      isLess ||= goesOn;
    }
    return isLess;
  };

  const steps = given ?? stepsFor(first.finding);
  for (let goesOn = true; goesOn && !isTimeUp();) {
    goesOn = false;
    for (const step of steps) goesOn = (await exhaust(step)) || goesOn;
  }
  return { ...least, runs };
}

/**
 * Seeds to try. A smaller plan draws other numbers, so another seed may show the violation. A failed step depends on
 * the plan only.
 */
function seedsFor(seed: number, { checker }: Finding): readonly number[] {
  return checker === "step" ? [seed] : [...new Set([seed, 1, 2])];
}

export interface Step {
  readonly reduction: Reduction;
  readonly mustDoLess?: boolean;
}

/** Steps in order: first those that make runs cheap, then the fewest faults, operations, nodes. */
function stepsFor({ checker }: Finding): readonly Step[] {
  return [
    ...(checker === undefined ? [] : [{ reduction: judges(checker) }]),
    { reduction: none("workload") },
    { reduction: shorterList("faults") },
    { reduction: shorterList("timeline") },
    { reduction: shorterList("workload") },
    { reduction: smallerValues("phases") },
    { reduction: smallerValues("workload") },
    { reduction: longerPauses("workload"), mustDoLess: true },
    { reduction: fewerNodes },
    { reduction: fewerEntries("indices") },
    { reduction: smallerValues("indices") },
    { reduction: fewerDocuments },
  ];
}

/** Keeps only the checker of the violation; a failed step needs none. */
function judges(checker: string): Reduction {
  return checker === "step" ? none("checkers") : onlyChecker(checker);
}

function isSameViolation(a: Finding, b: Finding): boolean {
  if (a.checker === "step" && b.checker === "step") return stepOf(a.says) === stepOf(b.says);
  if (a.invariant !== undefined || b.invariant !== undefined) return a.invariant === b.invariant;
  return a.checker === b.checker && firstWords(a.says) === firstWords(b.says);
}

/**
 * Key of a failed step: the request, start or stop, and its answer, without its position in the timeline. The answer
 * counts, as a plan with fewer nodes fails differently. Reasons after a status are left out, as they name drawn values.
 */
function stepOf(says: string): string {
  const [step, answer = ""] = says.replace(/^entry \d+ of the timeline, /, "").split(": ");
  return `${step}: ${answer}`;
}

/** First words of an internal error: only its type is compared, as the rest names nodes and numbers. */
function firstWords(says: string): string {
  return (says.split("\n")[0] ?? "").replaceAll(/\d+/g, "").slice(0, 60);
}
