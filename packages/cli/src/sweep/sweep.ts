/**
 * `orrery sweep`: runs scenarios under many seeds, several at a time, and writes a bundle of each run that does not
 * pass.
 */
import { availableParallelism } from "node:os";
import { parseDuration } from "@orrery/stdx";
import { integer, readOptions, type ParsedOptions } from "../options.ts";
import { checkWorld } from "../recorded-run.ts";
import { replayLine } from "../replay-line.ts";
import { readScenarioFile, type ScenarioFile } from "../scenario-file.ts";
import { signalled, UsageError } from "../usage.ts";
import { checkOther, checkWritable } from "../atomic-file.ts";
import { readAddress, type QueueAddress } from "../queue/address.ts";
import type { Ending } from "../queue/sweep-on-queue.ts";
import { openBundleStore, type BundleStore } from "./bundle-store.ts";
import { conclude } from "./conclude.ts";
import { jobSummaryFile } from "./job-summary.ts";
import { createJob, type Job } from "./jobs.ts";
import type { Task, TaskResult } from "./messages.ts";
import { openPartStore } from "./part-store.ts";
import { createProgress } from "./progress.ts";
import { scenarioPaths } from "./scenario-paths.ts";
import { readShard, seedsOf, type Shard } from "./seeds.ts";
import { BUDGET_USED, type SweptRun } from "./totals.ts";

interface Sweep {
  readonly scenarios: readonly ScenarioFile[];
  /** Number of seeds of all shards. */
  readonly count: number;
  readonly shard: Shard;
  /** Seeds of the shard. */
  readonly seeds: readonly number[];
  readonly jobs: number;
  /** Wall time after which no run starts. */
  readonly budgetMs: number;
  readonly junit: string | undefined;
  readonly keep: string;
  /** Folder or bucket for what `orrery collect` reads. */
  readonly out: string | undefined;
  readonly isTwice: boolean;
  readonly isJson: boolean;
  /** Queue whose workers run the sweep; `undefined`: processes of this machine do. */
  readonly queue: QueueAddress | undefined;
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
      out: { type: "string" },
      twice: { type: "boolean" },
      queue: { type: "string" },
      json: { type: "boolean" },
    }),
  );
  checkReports(plan);
  const parts = plan.out === undefined ? undefined : await openPartStore(plan.out);
  const bundles = await openBundleStore(plan.keep);
  const startedAt = performance.now();
  const { runs, isInterrupted, interrupted, trouble } = await runAll(plan, bundles).finally(
    bundles.end,
  );
  const { scenarios, seeds, shard, junit, isJson } = plan;
  const files = scenarios.map(({ file }) => file);
  const { summary, isPassed } = conclude({
    runs,
    files,
    planned: () => seeds.length,
    wallMs: Math.round(performance.now() - startedAt),
    junit,
    isJson,
    reason: isInterrupted ? "interrupted" : (trouble ?? BUDGET_USED),
    interrupted,
    ...(shard.of === 1 ? {} : { shard: { ...shard, seeds: plan.count, files } }),
  });
  await parts?.store(runs, summary);
  if (isInterrupted) return 130;
  if (trouble !== undefined) process.stderr.write(`orrery: ${trouble}\n`);
  if (trouble !== undefined) return 1;
  return isPassed ? 0 : 1;
}

/** Throws `UsageError` for a report that cannot be written, or that would replace a scenario. */
function checkReports({ junit, scenarios }: Sweep): void {
  const summary = jobSummaryFile(process.env);
  for (const report of [junit, summary]) {
    if (report === undefined) continue;
    for (const { file } of scenarios) checkOther(report, file);
    checkWritable(report);
  }
}

function planOf(options: ParsedOptions): Sweep {
  if (options.positionals.length === 0)
    throw new UsageError("expected [orrery sweep SCENARIO...], at least one scenario file");
  const count = integer("seeds", options.text("seeds") ?? "100", { low: 1, high: 10_000_000 });
  const shard = readShard(options.text("shard") ?? "1/1");
  const jobs = options.text("jobs") ?? String(availableParallelism());
  const budget = options.text("budget");
  const queue = options.text("queue");
  if (queue !== undefined && options.text("jobs") !== undefined)
    throw new UsageError(
      "[--jobs] belongs to [orrery worker]: a sweep with [--queue] runs nothing",
    );
  const scenarios = scenarioPaths(options.positionals).map(readScenarioFile);
  for (const scenario of scenarios) checkWorld(scenario, "sim");
  return {
    scenarios,
    count,
    shard,
    seeds: seedsOf(count, shard),
    jobs: integer("jobs", jobs, { low: 1, high: 256 }),
    budgetMs: budget === undefined ? Number.MAX_SAFE_INTEGER : timeOf(budget),
    junit: options.text("junit"),
    keep: options.text("keep") ?? "orrery-failures",
    out: options.text("out"),
    isTwice: options.flag("twice"),
    isJson: options.flag("json"),
    queue: queue === undefined ? undefined : readAddress(queue),
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

/** Account of a sweep: the runs so far, printed as they end. */
interface RunAccount {
  readonly runs: readonly SweptRun[];
  /** Path for the bundle of a run that does not pass; `undefined` if no more are kept of its scenario. */
  keepFor(file: string, seed: number): string | undefined;
  /** Stores the bundle, if there is one, and prints the run. */
  record(file: string, seed: number, result: TaskResult): Promise<void>;
  say(line: string): void;
  end(): void;
}

function createAccount(plan: Sweep, bundles: BundleStore): RunAccount {
  const runs: SweptRun[] = [];
  const failures = new Map<string, number>();
  const names = bundleNames(plan.scenarios);
  let isEnded = false;
  const progress = createProgress(plan.seeds.length * plan.scenarios.length);
  return {
    runs,
    keepFor: (file, seed) =>
      (failures.get(file) ?? 0) < MOST_BUNDLES
        ? bundles.pathOf(`${names.get(file) ?? ""}-seed-${seed}.bundle`)
        : undefined,
    record: async (file, seed, written) => {
      const result = await stored(written, bundles);
      if (isEnded) return;
      const run = { ...result, file, seed, replay: replayLine({ file, seed }) };
      runs.push(run);
      if (result.verdict !== "pass") failures.set(file, (failures.get(file) ?? 0) + 1);
      tell(plan, run, progress.say);
      const failed = [...failures.values()].reduce((sum, one) => sum + one, 0);
      progress.update(runs.length, failed);
    },
    say: progress.say,
    end: () => {
      isEnded = true;
      progress.end();
    },
  };
}

/** The result with the address at which its bundle is stored. */
async function stored(result: TaskResult, bundles: BundleStore): Promise<TaskResult> {
  const { bundle, why } = result;
  if (bundle === undefined) return result;
  try {
    return { ...result, bundle: await bundles.store(bundle) };
  } catch (error) {
    return { ...result, why: `${why}; the bundle was not uploaded: ${(error as Error).message}` };
  }
}

/** Tasks ordered by seed, then scenario: a sweep that exhausts its budget has run every scenario. */
function* tasksOf({ scenarios, seeds, isTwice }: Sweep, keepFor: RunAccount["keepFor"]) {
  for (const seed of seeds) {
    for (const { file } of scenarios) {
      const task: Task = { file, seed, keep: keepFor(file, seed), isTwice };
      yield task;
    }
  }
}

interface Ran {
  readonly runs: readonly SweptRun[];
  readonly isInterrupted: boolean;
  /** Runs in progress that were interrupted, as `FILE seed N`. */
  readonly interrupted: readonly string[];
  /** Reason why a queue was given up. */
  readonly trouble?: string;
}

async function runAll(plan: Sweep, bundles: BundleStore): Promise<Ran> {
  const account = createAccount(plan, bundles);
  try {
    const ending =
      plan.queue === undefined
        ? await runHere(plan, account)
        : await runOn(plan.queue, plan, account);
    return { interrupted: [], ...ending, runs: account.runs };
  } finally {
    account.end();
  }
}

async function runOn(address: QueueAddress, plan: Sweep, account: RunAccount): Promise<Ending> {
  // Loaded on demand: the client of the queue is larger than the rest of a sweep.
  const { sweepOnQueue } = await import("../queue/sweep-on-queue.ts");
  return sweepOnQueue({ ...plan, address }, account);
}

async function runHere(plan: Sweep, { keepFor, record }: RunAccount): Promise<Omit<Ran, "runs">> {
  const tasks = tasksOf(plan, keepFor);
  const underWay = new Set<Task>();
  const total = plan.seeds.length * plan.scenarios.length;
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
      await record(task.file, task.seed, result);
    }
  };

  const jobs = Array.from({ length: Math.min(plan.jobs, total) }, () => createJob());
  const signal = signalled().then(() => {
    isInterrupted = true;
  });
  await Promise.race([Promise.all(jobs.map(work)), signal]);
  await Promise.all(jobs.map((job) => job.end()));
  const interrupted = isInterrupted
    ? [...underWay].map((one) => `${one.file} seed ${one.seed}`)
    : [];
  return { isInterrupted, interrupted };
}

/** Prints a failure at once, with the command that replays it. */
function tell({ isJson }: Sweep, run: SweptRun, say: (line: string) => void): void {
  const { file, seed, verdict, why, replay, bundle } = run;
  if (isJson) process.stdout.write(`${JSON.stringify({ event: "verdict", ...run })}\n`);
  if (verdict === "pass") return;
  const kept = bundle === undefined ? "" : `\nbundle: ${bundle}`;
  say(`${verdict}: ${file} seed ${seed}: ${why}${kept}\nreplay: ${replay}`);
}
