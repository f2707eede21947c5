/** Totals of a sweep. */
import type { TaskResult } from "./messages.ts";

export interface SweptRun extends TaskResult {
  readonly file: string;
  readonly seed: number;
  /** Command that replays the run. */
  readonly replay: string;
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
  /** Part of the sweep, if it is one: its number, the number of parts, the number of seeds of all parts. */
  readonly shard?: { readonly number: number; readonly of: number; readonly seeds: number };
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
