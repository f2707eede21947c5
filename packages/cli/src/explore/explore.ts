/** `orrery explore`: runs plans that are drawn and mutated; each finding is shrunk and written as a scenario. */
import { availableParallelism } from "node:os";
import {
  areas,
  complaintOf,
  createExplorer,
  type Area,
  type Explorer,
  type Trial,
  type Specimen,
} from "@orrery/scenario";
import { parseDuration } from "@orrery/stdx";
import { readAddress, type QueueAddress } from "../queue/address.ts";
import { integer, readOptions, type ParsedOptions } from "../options.ts";
import { prepareFolder } from "../sweep/folder.ts";
import { readShard } from "../sweep/seeds.ts";
import { signalled, UsageError } from "../usage.ts";
import { checkWritable, writeAtomically } from "../atomic-file.ts";
import { readCorpus, writeCorpus } from "./corpus-folder.ts";
import { writeFinding, reportFinding, type Found } from "./found.ts";
import { createProcesses, type ExploreJob, type ExploreJobs } from "./jobs.ts";
import type { TaskResult } from "./messages.ts";

interface Exploration {
  readonly seed: string;
  readonly area: Area | undefined;
  readonly jobs: number;
  /** Limits: no run starts after this wall time, or after this number of runs. */
  readonly budgetMs: number;
  readonly runs: number;
  readonly corpus: string | undefined;
  readonly keep: string;
  readonly curve: string | undefined;
  readonly isBlind: boolean;
  readonly isJson: boolean;
  /** Queue whose workers run the plans; `undefined`: processes of this machine do. */
  readonly queue: QueueAddress | undefined;
}

export async function explore(args: readonly string[]): Promise<number> {
  const plan = planOf(
    readOptions(args, {
      budget: { type: "string" },
      runs: { type: "string" },
      jobs: { type: "string" },
      area: { type: "string" },
      seed: { type: "string" },
      shard: { type: "string" },
      corpus: { type: "string" },
      keep: { type: "string" },
      curve: { type: "string" },
      blind: { type: "boolean" },
      queue: { type: "string" },
      json: { type: "boolean" },
    }),
  );
  if (plan.curve !== undefined) checkWritable(plan.curve);
  if (plan.corpus !== undefined) prepareFolder(plan.corpus);
  const removeUnused = prepareFolder(plan.keep);
  const specimens = plan.corpus === undefined ? [] : specimensIn(plan.corpus);
  const { seed, area, isBlind } = plan;
  const explorer = createExplorer({
    seed,
    specimens,
    isBlind,
    ...(area === undefined ? {} : { area }),
  });
  const totals = await exploreWith(plan, explorer).finally(removeUnused);
  if (plan.corpus !== undefined) writeCorpus(plan.corpus, explorer.corpus.specimens);
  if (plan.curve !== undefined) writeAtomically(plan.curve, curveText(totals.curve));
  process.stdout.write(`${lastLine(plan, totals)}\n`);
  if (totals.isInterrupted) return 130;
  if (totals.trouble !== "") process.stderr.write(`orrery: ${totals.trouble}\n`);
  if (totals.trouble !== "") return 1;
  return totals.findings.size === 0 ? 0 : 1;
}

function specimensIn(folder: string): readonly Specimen[] {
  const { specimens, skipped } = readCorpus(folder);
  if (skipped.length > 0) {
    const names = `${skipped.slice(0, 3).join(", ")}${skipped.length > 3 ? ", …" : ""}`;
    process.stderr.write(
      `corpus: ${skipped.length} of ${skipped.length + specimens.length} files hold no plan that this version can run: ${names}\n`,
    );
  }
  return specimens;
}

function planOf(options: ParsedOptions): Exploration {
  const [stray] = options.positionals;
  if (stray !== undefined)
    throw new UsageError(`unexpected [${stray}]: [orrery explore] takes options only`);
  const { number, of } = readShard(options.text("shard") ?? "1/1");
  const high = Number.MAX_SAFE_INTEGER;
  const seed = integer("seed", options.text("seed") ?? "1", { low: 0, high });
  const runs = options.text("runs");
  const queue = options.text("queue");
  if (queue !== undefined && options.text("jobs") !== undefined)
    throw new UsageError(
      "[--jobs] belongs to [orrery worker]: an exploration with [--queue] runs nothing",
    );
  return {
    // Shards of an exploration draw from different streams without communicating.
    seed: of === 1 ? String(seed) : `${seed}/${number}/${of}`,
    area: areaOf(options.text("area")),
    jobs: integer("jobs", options.text("jobs") ?? String(availableParallelism()), {
      low: 1,
      high: 256,
    }),
    budgetMs: timeOf(options.text("budget") ?? (runs === undefined ? "30m" : "366d")),
    runs: runs === undefined ? high : integer("runs", runs, { low: 1, high }),
    corpus: options.text("corpus"),
    keep: options.text("keep") ?? "orrery-findings",
    curve: options.text("curve"),
    isBlind: options.flag("blind"),
    isJson: options.flag("json"),
    queue: queue === undefined ? undefined : readAddress(queue),
  };
}

function areaOf(text: string | undefined): Area | undefined {
  const found = areas.find((area) => area === text);
  if (text === undefined || found !== undefined) return found;
  throw new UsageError(`unknown area [${text}]: expected one of [${areas.join(", ")}]`);
}

function timeOf(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms <= 0)
    throw new UsageError(`[--budget] must be a time value such as [30m], not [${text}]`);
  return ms;
}

interface CurvePoint {
  readonly seconds: number;
  readonly runs: number;
  readonly behaviours: number;
}

interface ExplorationTotals {
  runs: number;
  inconclusive: number;
  /** Runs of drawn plans, and the behaviours that they showed first. */
  drawn: { runs: number; behaviours: number };
  /** Findings by their sentence without names and numbers. */
  readonly findings: Map<string, Found>;
  readonly curve: CurvePoint[];
  readonly startedAt: number;
  isInterrupted: boolean;
  /** Reason why a queue was given up; empty if it was not. */
  trouble: string;
}

async function exploreWith(plan: Exploration, explorer: Explorer): Promise<ExplorationTotals> {
  const totals: ExplorationTotals = {
    runs: 0,
    inconclusive: 0,
    drawn: { runs: 0, behaviours: 0 },
    findings: new Map(),
    curve: [],
    startedAt: performance.now(),
    isInterrupted: false,
    trouble: "",
  };
  const pool = await openJobs(plan);
  let isOver = false;
  let started = 0;
  const trial = async (job: ExploreJob): Promise<void> => {
    isOver ||= started >= plan.runs || performance.now() - totals.startedAt >= plan.budgetMs;
    if (isOver) return;
    started += 1;
    const next = explorer.next();
    const result = await job.run({ kind: "run", sketch: next.sketch, seed: next.seed });
    if (result.kind === "withdrawn" || totals.isInterrupted || totals.trouble !== "") return;
    note(totals, explorer, next, result);
    await judge({ plan, totals, job }, next, result);
  };
  const work = async (job: ExploreJob): Promise<void> => {
    while (!isOver) await job.whenFree(() => trial(job));
  };
  const interrupted = signalled().then(() => {
    totals.isInterrupted = true;
  });
  const lost = pool.lost.then((trouble) => {
    totals.trouble = trouble;
  });
  const budgetEnd = afterBudget(plan.budgetMs, () => {
    totals.trouble ||= pool.absence;
    void pool.withdraw();
  });
  await Promise.race([Promise.all(pool.jobs.map(work)), interrupted, lost]);
  isOver = true;
  clearTimeout(budgetEnd);
  await pool.end();
  return totals;
}

async function openJobs({ queue, jobs }: Exploration): Promise<ExploreJobs> {
  if (queue === undefined) return createProcesses(jobs);
  // Loaded on demand: the client of the queue is larger than the rest of an exploration.
  const { openExploreJobs } = await import("../queue/explore-on-queue.ts");
  return openExploreJobs(queue, (line) => void process.stderr.write(`${line}\n`));
}

/** Timers have a limit, which is above every budget that ends. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function afterBudget(budgetMs: number, action: () => void): NodeJS.Timeout | undefined {
  return budgetMs > LONGEST_TIMER_MS ? undefined : setTimeout(action, budgetMs);
}

function note(
  totals: ExplorationTotals,
  explorer: Explorer,
  trial: Trial,
  result: TaskResult,
): void {
  totals.runs += 1;
  if (result.kind !== "run") return;
  if (result.verdict === "inconclusive") totals.inconclusive += 1;
  const fresh = explorer.learn(trial, result);
  if (trial.isDrawn) {
    totals.drawn.runs += 1;
    totals.drawn.behaviours += fresh;
  }
  const { behaviours } = explorer.corpus;
  totals.curve.push({ seconds: secondsOf(totals), runs: totals.runs, behaviours });
}

function secondsOf({ startedAt }: ExplorationTotals): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

/** Wall time for shrinking one finding. */
const SHRINK_MS = 60_000;

interface FindingContext {
  readonly plan: Exploration;
  readonly totals: ExplorationTotals;
  readonly job: ExploreJob;
}

/** Shrinks and stores a finding that differs from all earlier ones. */
async function judge(
  { plan, totals, job }: FindingContext,
  trial: Trial,
  result: TaskResult,
): Promise<void> {
  const finding =
    result.kind === "broken"
      ? { says: result.why, atMs: 0 }
      : result.kind === "run"
        ? result.finding
        : undefined;
  if (finding === undefined) return;
  const complaint = complaintOf(finding);
  const known = totals.findings.get(complaint);
  if (known !== undefined) {
    totals.findings.set(complaint, { ...known, times: known.times + 1 });
    return;
  }
  const { sketch, seed } = trial;
  const found: Found = { number: trial.number, sketch, seed, finding, times: 1 };
  totals.findings.set(complaint, found);
  print(plan, reportFinding(found));
  const less =
    result.kind === "run"
      ? await job.run({ kind: "shrink", sketch, seed, budgetMs: SHRINK_MS })
      : result;
  print(plan, writeFinding(plan.keep, less.kind === "shrink" ? { ...found, ...less } : found));
}

function print({ isJson }: Exploration, { line, readable }: ReturnType<typeof writeFinding>): void {
  if (isJson) process.stdout.write(`${JSON.stringify(line)}\n`);
  process.stderr.write(`${readable}\n`);
}

function curveText(curve: readonly CurvePoint[]): string {
  return [
    "seconds,runs,behaviours",
    ...curve.map((point) => `${point.seconds},${point.runs},${point.behaviours}`),
    "",
  ].join("\n");
}

function lastLine({ isJson, isBlind }: Exploration, totals: ExplorationTotals): string {
  const { runs, inconclusive, drawn, findings, curve } = totals;
  const behaviours = curve.at(-1)?.behaviours ?? 0;
  const wallMs = Math.round(performance.now() - totals.startedAt);
  if (isJson)
    return JSON.stringify({
      event: "summary",
      runs,
      behaviours,
      findings: findings.size,
      inconclusive,
      drawn,
      wall_ms: wallMs,
    });
  const how = isBlind
    ? "all of them drawn"
    : `${drawn.runs} of them drawn, which showed ${drawn.behaviours} first`;
  return `${runs} runs, ${behaviours} behaviours, ${findings.size} findings in ${(wallMs / 1000).toFixed(1)} s (${how}; ${inconclusive} inconclusive)`;
}
