/** Totals of a sweep. */
import type { TaskResult } from "./messages.ts";

export interface SweptRun extends TaskResult {
  readonly file: string;
  readonly seed: number;
  /** Command that replays the run. */
  readonly replay: string;
}

/** Reason of runs that a budget left out, which is no failure. */
export const BUDGET_USED = "the budget was used up";

/** One of several parts of a sweep. */
export interface Part {
  readonly number: number;
  /** Number of parts. */
  readonly of: number;
  /** Number of seeds of all parts. */
  readonly seeds: number;
  /** Scenarios of the sweep. */
  readonly files: readonly string[];
}

export interface Summary {
  readonly event: "summary";
  readonly passed: number;
  readonly failed: number;
  readonly inconclusive: number;
  /** Runs left out, because the budget was exhausted or the sweep was interrupted. */
  readonly not_run: number;
  readonly wall_ms: number;
  /** Seeds that ran for at least one scenario, in order. */
  readonly seeds: readonly number[];
  /** Reason for the runs left out, if there are any. */
  readonly left_out?: string;
  /** Part of the sweep, if it is one. */
  readonly shard?: Part;
}

/** Summary of all runs; `planned` is the number of runs that were planned. */
export function summaryOf(runs: readonly SweptRun[], planned: number, wallMs: number): Summary {
  const count = (wanted: string): number => runs.filter(({ verdict }) => verdict === wanted).length;
  const seeds = [...new Set(runs.map(({ seed }) => seed))].toSorted((a, b) => a - b);
  return {
    event: "summary",
    passed: count("pass"),
    failed: count("fail"),
    inconclusive: count("inconclusive"),
    not_run: planned - runs.length,
    wall_ms: wallMs,
    seeds,
  };
}
