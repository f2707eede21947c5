/** Messages between a sweep and its jobs. */
import type { TimedVerdict } from "../recorded-run.ts";
import type { ScenarioTexts } from "../scenario-file.ts";
import type { FailureCause } from "./causes.ts";

export interface Task {
  readonly file: string;
  /** Texts of the scenario, if `file` is a name on another machine. */
  readonly texts?: ScenarioTexts & { readonly hash: string };
  readonly seed: number;
  /** Path of the bundle to write if the run does not pass. */
  readonly keep: string | undefined;
  /** A passing run is repeated, to compare the hashes. */
  readonly isTwice: boolean;
}

export interface TaskResult extends Pick<TimedVerdict, "verdict" | "hash" | "wall_ms"> {
  /** Reason in short; empty for a passed run. */
  readonly why: string;
  /** Probable cause; absent for a passed run, and if the process of the run ended. */
  readonly cause?: FailureCause;
  /** Path of the written bundle. */
  readonly bundle?: string;
}
