/** What a sweep and its jobs tell each other. */
import type { TimedVerdict } from "../recorded-run.ts";

export interface Task {
  readonly file: string;
  readonly seed: number;
  /** Where a bundle goes when the run does not pass. */
  readonly keep: string | undefined;
  /** Runs that pass are run again: their hash must be the same. */
  readonly isTwice: boolean;
}

export interface TaskResult extends Pick<TimedVerdict, "verdict" | "hash" | "wall_ms"> {
  /** In short; empty when it passed. */
  readonly why: string;
  /** Path of the bundle that was kept. */
  readonly bundle?: string;
}
