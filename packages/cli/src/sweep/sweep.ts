/**
 * `orrery sweep`: runs scenarios under many seeds, several at a time, and writes a bundle of each run that does not
 * pass.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { greatest, parseDuration } from "@orrery/stdx";
import { integer, readOptions, type ParsedOptions } from "../options.ts";
import { checkWorld } from "../recorded-run.ts";
import { replayLine } from "../replay-line.ts";
import { readScenarioFile, type ScenarioFile } from "../scenario-file.ts";
import { signalled, UsageError } from "../usage.ts";
import { checkWritable, writeAtomically } from "../atomic-file.ts";
import { prepareFolder } from "./folder.ts";
import { causeLines, writeJobSummary } from "./job-summary.ts";
import { createJob, type Job } from "./jobs.ts";
import { junitOf } from "./junit.ts";
import type { Task } from "./messages.ts";
import { createProgress } from "./progress.ts";
import { scenarioPaths } from "./scenario-paths.ts";
import { readShard, seedsOf } from "./seeds.ts";
import { summaryOf, type Summary, type SweptRun } from "./totals.ts";

interface Sweep {
  readonly scenarios: readonly ScenarioFile[];
  readonly seeds: readonly number[];
  readonly jobs: number;
  /** Wall time after which no run starts. */
  readonly budgetMs: number;
  readonly junit: string | undefined;
  readonly keep: string;
  readonly isTwice: boolean;
  readonly isJson: boolean;
}

export async function sweep(args: readonly string[]): Promise<number> {
  const plan = planOf(
    readOptions(args, {
      seeds: { type: "string" },
      jobs: { type: "string" },
      shard: { type: "string" },
      budget: { type: "string" },
      junit: { type: "string" },
      keep: { type: "string" },
      twice: { type: "boolean" },
      json: { type: "boolean" },
    }),
  );
  if (plan.junit !== undefined) checkWritable(plan.junit);
  const removeUnused = prepareFolder(plan.keep);
  const startedAt = performance.now();
  const { runs, isInterrupted, interrupted } = await runAll(plan);
  removeUnused();
  const { seeds, scenarios } = plan;
  const files = scenarios.map(({ file }) => file);
  const wallMs = Math.round(performance.now() - startedAt);
  const summary = summaryOf(runs, seeds.length * files.length, wallMs);
  if (plan.junit !== undefined) writeAtomically(plan.junit, junitOf(runs, files, seeds.length));
  const left = leftOut(plan, summary, isInterrupted);
  const outcome = {
    ...{ runs, wallMs, interrupted, notRun: summary.not_run },
    reason: isInterrupted ? "interrupted" : "the budget was used up",
  };
  const causes = causeLines(outcome).map((line) => `${line}\n`);
  const last = plan.isJson
    ? JSON.stringify(summary)
    : `${causes.join("")}${readable(runs, summary)}${left}`;
  process.stdout.write(`${last}\n`);
  writeJobSummary(outcome, process.env);
  if (isInterrupted) return 130;
  return summary.failed + summary.inconclusive === 0 ? 0 : 1;
}

function planOf(options: ParsedOptions): Sweep {
  if (options.positionals.length === 0)
    throw new UsageError("expected [orrery sweep SCENARIO...], at least one scenario file");
  const count = integer("seeds", options.text("seeds") ?? "100", { low: 1, high: 10_000_000 });
  const jobs = options.text("jobs") ?? String(availableParallelism());
  const budget = options.text("budget");
  const scenarios = scenarioPaths(options.positionals).map(readScenarioFile);
  for (const scenario of scenarios) checkWorld(scenario, "sim");
  return {
    scenarios,
    seeds: seedsOf(count, readShard(options.text("shard") ?? "1/1")),
    jobs: integer("jobs", jobs, { low: 1, high: 256 }),
    budgetMs: budget === undefined ? Number.MAX_SAFE_INTEGER : timeOf(budget),
    junit: options.text("junit"),
    keep: options.text("keep") ?? "orrery-failures",
    isTwice: options.flag("twice"),
    isJson: options.flag("json"),
  };
}

function timeOf(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms <= 0)
    throw new UsageError(`[--budget] must be a time value such as [10m], not [${text}]`);
  return ms;
}

/** Limit of bundles for one scenario, as more tell nothing new; each failure is still reported with its command. */
const MOST_BUNDLES = 10;

/** Names of bundles by file; scenarios of the same name are distinguished by a number. */
function bundleNames(scenarios: Sweep["scenarios"]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    scenarios.map(({ file, plan }): [string, string] => {
      const first = plan.name.replaceAll(/[^\w.-]+/g, "-");
      let name = first;
      for (let i = 2; taken.has(name); i += 1) name = `${first}-${i}`;
      taken.add(name);
      return [file, name];
    }),
  );
}

/** Tasks ordered by seed, then scenario: a sweep that exhausts its budget has run every scenario. */
function* tasksOf(
  { scenarios, seeds, keep, isTwice }: Sweep,
  failures: ReadonlyMap<string, number>,
) {
  const names = bundleNames(scenarios);
  for (const seed of seeds) {
    for (const { file } of scenarios) {
      const name = `${names.get(file) ?? ""}-seed-${seed}.bundle`;
      const isKept = (failures.get(file) ?? 0) < MOST_BUNDLES;
      const task: Task = { file, seed, keep: isKept ? join(keep, name) : undefined, isTwice };
      yield task;
    }
  }
}

async function runAll(plan: Sweep): Promise<{
  readonly runs: readonly SweptRun[];
  readonly isInterrupted: boolean;
  /** Runs in progress that were interrupted, as `FILE seed N`. */
  readonly interrupted: readonly string[];
}> {
  const runs: SweptRun[] = [];
  const underWay = new Set<Task>();
  const failures = new Map<string, number>();
  const tasks = tasksOf(plan, failures);
  const total = plan.seeds.length * plan.scenarios.length;
  const progress = createProgress(total);
  const endAt = performance.now() + plan.budgetMs;
  let isInterrupted = false;

  const work = async (job: Job): Promise<void> => {
    while (performance.now() < endAt) {
      const task = tasks.next().value;
      if (task === undefined) return;
      underWay.add(task);
      const result = await job.run(task);
      if (isInterrupted) return;
      underWay.delete(task);
      const { file, seed } = task;
      const run = { ...result, file, seed, replay: replayLine({ file, seed }) };
      runs.push(run);
      if (result.verdict !== "pass") failures.set(file, (failures.get(file) ?? 0) + 1);
      tell(plan, run, progress.say);
      const failed = [...failures.values()].reduce((sum, one) => sum + one, 0);
      progress.update(runs.length, failed);
    }
  };

  const jobs = Array.from({ length: Math.min(plan.jobs, total) }, createJob);
  const signal = signalled().then(() => {
    isInterrupted = true;
  });
  await Promise.race([Promise.all(jobs.map(work)), signal]);
  await Promise.all(jobs.map((job) => job.end()));
  progress.end();
  const interrupted = isInterrupted
    ? [...underWay].map((one) => `${one.file} seed ${one.seed}`)
    : [];
  return { runs, isInterrupted, interrupted };
}

/** Prints a failure at once, with the command that replays it. */
function tell({ isJson }: Sweep, run: SweptRun, say: (line: string) => void): void {
  const { file, seed, verdict, why, replay, bundle } = run;
  if (isJson) process.stdout.write(`${JSON.stringify({ event: "verdict", ...run })}\n`);
  if (verdict === "pass") return;
  const kept = bundle === undefined ? "" : `\nbundle: ${bundle}`;
  say(`${verdict}: ${file} seed ${seed}: ${why}${kept}\nreplay: ${replay}`);
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
function leftOut({ seeds }: Sweep, { not_run: notRun }: Summary, isInterrupted: boolean): string {
  if (seeds.length === 0) return "; this part has no seeds";
  if (notRun === 0) return "";
  return `; ${notRun} not run: ${isInterrupted ? "interrupted" : "the budget was used up"}`;
}
