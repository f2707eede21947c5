/** Messages between an exploration and its jobs. */
import type { Finding, MomentCounts, Sketch } from "@orrery/scenario";

export type Task =
  | { readonly kind: "run"; readonly sketch: Sketch; readonly seed: number }
  /** Looks for less that fails in the same way, for so long. */
  | {
      readonly kind: "shrink";
      readonly sketch: Sketch;
      readonly seed: number;
      readonly budgetMs: number;
    };

/** Answers a task of its kind. */
export type TaskResult =
  | RunResult
  | ShrinkResult
  | { readonly kind: "broken"; readonly why: string };

export interface RunResult {
  readonly kind: "run";
  readonly verdict: "pass" | "fail" | "inconclusive";
  readonly hash: string;
  readonly events: number;
  readonly wall_ms: number;
  readonly tuples: readonly string[];
  readonly came: MomentCounts;
  readonly finding?: Finding;
}

export interface ShrinkResult {
  readonly kind: "shrink";
  readonly sketch: Sketch;
  readonly seed: number;
  readonly runs: number;
  readonly finding: Finding;
  /** The last pieces of news of its run. */
  readonly last: readonly string[];
}
