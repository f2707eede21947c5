/** Messages between an exploration and its jobs. */
import type { Finding, MomentCounts, Sketch } from "@orrery/scenario";

/** Task of a job. */
export type Task =
  | { readonly kind: "run"; readonly sketch: Sketch; readonly seed: number }
  /** Shrinks a plan that fails, within a wall time. */
  | {
      readonly kind: "shrink";
      readonly sketch: Sketch;
      readonly seed: number;
      readonly budgetMs: number;
    };

/**
 * Result of a job's task: of the kind of the task, `broken` with the reason, or `withdrawn` if a queue took it back before
 * it began.
 */
export type TaskResult =
  | RunResult
  | ShrinkResult
  | { readonly kind: "broken"; readonly why: string }
  | { readonly kind: "withdrawn" };

/** Result of a run: verdict, first finding, and observed behaviour. */
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

/** Result of shrinking: the smallest failing plan found. */
export interface ShrinkResult {
  readonly kind: "shrink";
  readonly sketch: Sketch;
  readonly seed: number;
  readonly runs: number;
  readonly finding: Finding;
  /** Last events except traffic of the run. */
  readonly last: readonly string[];
}
