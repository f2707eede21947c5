/**
 * Summary of a sweep for people: its causes in lines of text, and as Markdown for the summary of a GitHub job. The same
 * functions serve sweeps of one machine, of a queue and of parts.
 */
import { appendFileSync } from "node:fs";
import { greatest } from "@orrery/stdx";
import { UsageError } from "../usage.ts";
import { causeWords, groupsOf, seedWords, type FailureGroup } from "./causes.ts";
import type { SweptRun } from "./totals.ts";

/** Runs of a sweep, and those that were left out. */
export interface SweepOutcome {
  readonly runs: readonly SweptRun[];
  readonly wallMs: number;
  /** Number of runs that were left out, and the reason. */
  readonly notRun: number;
  readonly reason: string;
  /** Runs in progress that were interrupted, as `FILE seed N`. */
  readonly interrupted: readonly string[];
}

/** Lines about causes, interrupted runs and bundles that were not kept; empty if all is well. */
export function causeLines({ runs, interrupted }: SweepOutcome): readonly string[] {
  const groups = groupsOf(runs);
  const lines = groups.flatMap(({ cause, runs: failed }) => {
    const [first] = failed;
    const kept = failed.find(({ bundle }) => bundle !== undefined)?.bundle;
    return [
      `  ${failed.length} × ${causeWords(cause)}: ${seedWords(failed)}`,
      ...(first === undefined ? [] : [`      ${first.why}`, `      replay: ${first.replay}`]),
      ...(kept === undefined ? [] : [`      report: npx orrery report ${kept}`]),
    ];
  });
  const unkept = runs.filter(({ verdict, bundle }) => verdict !== "pass" && bundle === undefined);
  return [
    ...(groups.length === 0
      ? []
      : [`${groups.length === 1 ? "one cause" : `${groups.length} causes`}:`]),
    ...lines,
    ...(unkept.length === 0
      ? []
      : [
          `${runWords(unkept.length)} failed without a kept bundle: the replay line of each was printed`,
        ]),
    ...(interrupted.length === 0 ? [] : [`interrupted: ${interrupted.join(", ")}`]),
  ];
}

function runWords(count: number): string {
  return `${count} ${count === 1 ? "run" : "runs"}`;
}

const BADGES = { pass: "✅", fail: "❌", inconclusive: "⚠️" } as const;

/** Markdown of a sweep. */
export function markdownOf(outcome: SweepOutcome): string {
  const { runs, wallMs, notRun, reason, interrupted } = outcome;
  const count = (verdict: string): number => runs.filter((run) => run.verdict === verdict).length;
  const [passed, failed, inconclusive] = [count("pass"), count("fail"), count("inconclusive")];
  const badge = failed > 0 ? BADGES.fail : inconclusive > 0 ? BADGES.inconclusive : BADGES.pass;
  const head = `## ${badge} Orrery: ${passed} of ${runs.length} runs passed in ${(wallMs / 1000).toFixed(1)} s`;
  const notes = [
    ...(notRun === 0 ? [] : [`${runWords(notRun)} not run: ${reason}.`]),
    ...(interrupted.length === 0 ? [] : [`Interrupted: ${interrupted.map(cell).join(", ")}.`]),
  ];
  const sections = [head, tableOf(runs), ...notes, ...groupsOf(runs).map(groupSection)];
  return `${sections.join("\n\n")}\n`;
}

function tableOf(runs: readonly SweptRun[]): string {
  const files = [...new Set(runs.map(({ file }) => file))].toSorted();
  const rows = files.map((file) => {
    const of = runs.filter((run) => run.file === file);
    const count = (verdict: string): number => of.filter((run) => run.verdict === verdict).length;
    const ms = Math.round(of.reduce((sum, run) => sum + run.wall_ms, 0) / of.length);
    return `| ${cell(file)} | ${of.length} | ${count("pass")} | ${count("fail")} | ${count("inconclusive")} | ${ms} |`;
  });
  return [
    "| Scenario | Runs | Passed | Failed | Inconclusive | ms a run |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
  ].join("\n");
}

function groupSection({ cause, runs }: FailureGroup): string {
  const [first] = runs;
  const bundles = runs.flatMap(({ bundle }) => bundle ?? []);
  return [
    `### ${runs.length} × ${cell(causeWords(cause))}`,
    `${seedWords(runs)}. ${cell(first?.why ?? "")}`,
    fenced(first?.replay ?? ""),
    ...(bundles.length === 0
      ? ["No bundle was kept."]
      : [`Bundles: ${bundles.slice(0, MOST_BUNDLES).map(cell).join(", ")}`]),
  ].join("\n\n");
}

const MOST_BUNDLES = 10;

/** Block of code on one line, whose fence is longer than any row of backticks in it. */
function fenced(code: string): string {
  const line = code.replaceAll(/[\r\n]+/g, " ");
  const longest = greatest([2, ...[...line.matchAll(/`+/g)].map(([row]) => row.length)]);
  const fence = "`".repeat(longest + 1);
  return `${fence}sh\n${line}\n${fence}`;
}

/** Text without the characters that Markdown and HTML interpret. */
function cell(text: string): string {
  return text
    .replaceAll(/[\r\n]+/g, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[|`*_[\]\\~]/g, String.raw`\$&`);
}

/** File that GitHub names for the summary of a job; `undefined` elsewhere. */
export function jobSummaryFile(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const file = environment["GITHUB_STEP_SUMMARY"];
  return file === "" ? undefined : file;
}

/** Appends the summary to the file that GitHub names for it; does nothing elsewhere. */
export function writeJobSummary(
  outcome: SweepOutcome,
  environment: Readonly<Record<string, string | undefined>>,
): void {
  const file = jobSummaryFile(environment);
  if (file === undefined) return;
  try {
    appendFileSync(file, markdownOf(outcome));
  } catch (error) {
    throw new UsageError(
      `the job summary [${file}] cannot be written: ${(error as Error).message}`,
    );
  }
}
