/**
 * The least that still fails in the same way: fewest faults, operations and nodes, found by leaving out and running again.
 *
 * A candidate is kept when some seed of a few gives the same violation; the next candidates start from it.
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
  /** Runs a candidate; `undefined` when it is no plan, or does not fail. */
  readonly failureOf: (plan: JsonObject, seed: number) => Promise<Failure | undefined>;
  readonly isTimeUp: () => boolean;
  /** What may be taken, in this order; what a plan of a file has when it is not said. */
  readonly steps?: readonly Step[];
}

export interface Failure {
  readonly finding: Finding;
  /** How many the clients did until then. */
  readonly operations: number;
}

export interface Shrunk extends Failure {
  readonly plan: JsonObject;
  readonly seed: number;
  readonly runs: number;
}

/** `undefined` when the plan does not fail at all under its seed. */
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

  /** The same plan and seed come to the same: another turn of all steps runs only what is new. */
  const run = async (candidate: JsonObject, one: number): Promise<Failure | undefined> => {
    const key = `${one} ${JSON.stringify(candidate)}`;
    if (seen.has(key)) return seen.get(key);
    runs += 1;
    const failure = await failureOf(candidate, one);
    seen.set(key, failure);
    return failure;
  };

  /** Whether it became less. */
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

  /** Starts again from what is left each time something could go. */
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

/** Another plan draws other numbers: what one seed no longer shows another one may. A step fails by what stands in the plan. */
function seedsFor(seed: number, { checker }: Finding): readonly number[] {
  return checker === "step" ? [seed] : [...new Set([seed, 1, 2])];
}

export interface Step {
  readonly reduction: Reduction;
  readonly mustDoLess?: boolean;
}

/** What makes runs cheap comes first, then what people ask for: fewest faults, operations, nodes. */
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

/** A step fails without any checker. */
function judges(checker: string): Reduction {
  return checker === "step" ? none("checkers") : onlyChecker(checker);
}

function isSameViolation(a: Finding, b: Finding): boolean {
  if (a.checker === "step" && b.checker === "step") return stepOf(a.says) === stepOf(b.says);
  if (a.invariant !== undefined || b.invariant !== undefined) return a.invariant === b.invariant;
  return a.checker === b.checker && firstWords(a.says) === firstWords(b.says);
}

/**
 * The request, start or stop that failed, wherever it stands in what is left of the timeline, and what it was answered: a plan
 * of one node lacks four nodes, too, and shows nothing. Reasons that come after a status name whatever the run drew.
 */
function stepOf(says: string): string {
  const [step, answer = ""] = says.replace(/^entry \d+ of the timeline, /, "").split(": ");
  return `${step}: ${answer}`;
}

/** Of what broke by itself only the kind of error is compared: the rest names nodes and numbers. */
function firstWords(says: string): string {
  return (says.split("\n")[0] ?? "").replaceAll(/\d+/g, "").slice(0, 60);
}
