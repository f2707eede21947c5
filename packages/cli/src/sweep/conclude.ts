/** End of a sweep: its reports, its last lines and its exit code, also of a sweep that several machines ran in parts. */
import { greatest } from "@orrery/stdx";
import { writeAtomically } from "../atomic-file.ts";
import { causeLines, writeJobSummary } from "./job-summary.ts";
import { junitOf } from "./junit.ts";
import { summaryOf, type Summary, type SweptRun } from "./totals.ts";

export interface Conclusion {
  readonly runs: readonly SweptRun[];
  readonly files: readonly string[];
  /** Number of runs that were planned for a file. */
  planned(file: string): number;
  readonly wallMs: number;
  /** Part of the sweep that these runs are. */
  readonly shard?: Summary["shard"];
  readonly junit: string | undefined;
  readonly isJson: boolean;
  /** Reason for the runs that were left out. */
  readonly reason: string;
  /** Runs in progress that were interrupted, as `FILE seed N`. */
  readonly interrupted: readonly string[];
}

export interface Concluded {
  readonly summary: Summary;
  /** All runs that were not left out passed. */
  readonly isPassed: boolean;
}

/** Writes the reports and prints the summary. */
export function conclude(conclusion: Conclusion): Concluded {
  const { runs, files, planned, wallMs, shard, junit, isJson, reason, interrupted } = conclusion;
  const totals = summaryOf(runs, totalOf(conclusion), wallMs);
  const summary = {
    ...totals,
    ...(totals.not_run === 0 ? {} : { left_out: reason }),
    ...(shard === undefined ? {} : { shard }),
  };
  if (junit !== undefined) writeAtomically(junit, junitOf(runs, files, planned));
  const outcome = { runs, wallMs, interrupted, notRun: summary.not_run, reason };
  const causes = causeLines(outcome).map((line) => `${line}\n`);
  const last = isJson
    ? JSON.stringify(summary)
    : `${causes.join("")}${readable(runs, summary)}${leftOut(conclusion, summary)}`;
  process.stdout.write(`${last}\n`);
  writeJobSummary(outcome, process.env);
  return { summary, isPassed: summary.failed + summary.inconclusive === 0 };
}

function readable(runs: readonly SweptRun[], summary: Summary): string {
  const files = [...new Set(runs.map(({ file }) => file))];
  const width = Math.max(0, greatest(files.map((file) => file.length)));
  const lines = files.map((file) => {
    const of = runs.filter((run) => run.file === file);
    const passed = of.filter(({ verdict }) => verdict === "pass").length;
    const wallMs = of.reduce((sum, run) => sum + run.wall_ms, 0) / of.length;
    return `${file.padEnd(width)}  ${passed}/${of.length} passed  ${Math.round(wallMs)} ms a run`;
  });
  const { passed, failed, inconclusive, wall_ms: wallMs } = summary;
  const total = `${passed} passed, ${failed} failed, ${inconclusive} inconclusive in ${(wallMs / 1000).toFixed(1)} s`;
  return [...lines, total].join("\n");
}

/** Number of the runs that were left out, and the reason. */
function leftOut(conclusion: Conclusion, { not_run: notRun }: Summary): string {
  if (totalOf(conclusion) === 0) return "; this part has no seeds";
  return notRun === 0 ? "" : `; ${notRun} not run: ${conclusion.reason}`;
}

function totalOf({ files, planned }: Conclusion): number {
  return files.reduce((sum, file) => sum + planned(file), 0);
}
