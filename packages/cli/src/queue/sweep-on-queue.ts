/**
 * Sweep by the workers of a queue: seeds are put on it a few jobs ahead of the workers, so that a sweep of any size takes
 * little of the server's memory and ends soon when it is interrupted.
 *
 * The bundle of a failure is recorded here: the same seed gives the same run, so no bundle has to cross the queue, and a
 * worker whose run was another one is found out.
 */
import { createJob, RUN_PATIENCE_MS } from "../sweep/jobs.ts";
import type { TaskResult } from "../sweep/messages.ts";
import type { ScenarioFile } from "../scenario-file.ts";
import { signalled, UsageError } from "../usage.ts";
import type { QueueAddress } from "./address.ts";
import { openJobQueue, type JobQueue } from "./job-queue.ts";
import {
  hashesOfScenario,
  MOST_FILES,
  MOST_SEEDS,
  MOST_TOTAL_BYTES,
  type TextHashes,
} from "./payload.ts";
import { afterMs } from "./pending-jobs.ts";
import { rangeSize } from "./ranges.ts";
import { readSweepResults } from "./results.ts";

export interface QueuedSweep {
  readonly address: QueueAddress;
  readonly scenarios: readonly ScenarioFile[];
  readonly seeds: readonly number[];
  /** Wall time after which no job is started. */
  readonly budgetMs: number;
  readonly isTwice: boolean;
}

/** The account that a sweep keeps of its runs. */
export interface SweepAccount {
  /** Path for the bundle of a failed run; `undefined` if no more are kept. */
  keepFor(file: string, seed: number): string | undefined;
  record(file: string, seed: number, result: TaskResult): Promise<void>;
  say(line: string): void;
}

export interface Ending {
  readonly isInterrupted: boolean;
  /** Reason why the sweep ended early. */
  readonly trouble?: string;
}

/** Time after which new workers are noticed while all jobs run. */
const LOOK_MS = 500;

/** Runs the sweep. Throws `UsageError` if the queue cannot be reached. */
export async function sweepOnQueue(plan: QueuedSweep, account: SweepAccount): Promise<Ending> {
  plan.scenarios.forEach(checkSizes);
  const texts = new Map<string, string>();
  const hashes = new Map(plan.scenarios.map((one) => [one.file, hashesOfScenario(one, texts)]));
  const queue = await openJobQueue({ address: plan.address, say: account.say, texts });
  const recorder = createRecorder(account);
  const interrupted = signalled().then((): Ending => ({ isInterrupted: true }));
  const lost = queue.lost.then((trouble): Ending => ({ isInterrupted: false, trouble }));
  const work = runRanges(plan, { queue, hashes, recorder });
  try {
    return await Promise.race([work.ended, interrupted, lost]);
  } finally {
    work.stop();
    await Promise.all([recorder.end(), queue.close()]);
  }
}

/** Rejects a scenario that workers would refuse. */
function checkSizes({ file, source, files }: ScenarioFile): void {
  const bytes = [source, ...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (files.size <= MOST_FILES && bytes <= MOST_TOTAL_BYTES) return;
  throw new UsageError(
    `[${file}] is too large for a queue: it names ${files.size} files of ${bytes} bytes, and at most ${MOST_FILES} of ${MOST_TOTAL_BYTES} are sent`,
  );
}

interface Range {
  readonly file: string;
  readonly seeds: readonly number[];
}

interface Context {
  readonly queue: JobQueue;
  readonly hashes: ReadonlyMap<string, TextHashes>;
  readonly recorder: Recorder;
}

function runRanges(
  plan: QueuedSweep,
  context: Context,
): { readonly ended: Promise<Ending>; stop(): void } {
  const endAt = performance.now() + plan.budgetMs;
  const figures = { runs: 0, wallMs: 0, put: 0 };
  const total = plan.seeds.length * plan.scenarios.length;
  let isStopped = false;
  const size = (): number =>
    rangeSize({
      meanMs: figures.runs === 0 ? undefined : figures.wallMs / figures.runs,
      left: total - figures.put,
      slots: context.queue.slots,
      most: MOST_SEEDS,
    });
  const ranges = rangesOf(plan, size);
  const running = new Set<Promise<void>>();
  const start = (range: Range): void => {
    figures.put += range.seeds.length;
    const one = runRange(range, plan, context, (result) => {
      figures.runs += 1;
      figures.wallMs += result.wall_ms;
    }).finally(() => running.delete(one));
    running.add(one);
  };
  const work = async (): Promise<Ending> => {
    let isExhausted = false;
    while (!isStopped && performance.now() < endAt && !isExhausted) {
      // One job for each slot runs, and one waits for it.
      while (!isExhausted && running.size < 2 * Math.max(context.queue.slots, 1)) {
        const { value } = ranges.next();
        if (value === undefined) isExhausted = true;
        else start(value);
      }
      if (!isExhausted)
        await Promise.race([...running, afterMs(Math.min(LOOK_MS, endAt - performance.now()))]);
    }
    const timer = setTimeout(
      () => void context.queue.withdraw(),
      Math.min(endAt - performance.now(), LONGEST_TIMER_MS),
    );
    while (running.size > 0 && !isStopped) await Promise.race(running);
    clearTimeout(timer);
    const { absence } = context.queue;
    return {
      isInterrupted: false,
      ...(absence === "" || figures.runs === total ? {} : { trouble: absence }),
    };
  };
  return {
    ended: work(),
    stop: () => {
      isStopped = true;
    },
  };
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Ranges ordered by seed, then scenario: a sweep that exhausts its budget has run every scenario. */
function* rangesOf(
  { scenarios, seeds }: QueuedSweep,
  size: () => number,
): Generator<Range, undefined> {
  for (let at = 0; at < seeds.length;) {
    const some = seeds.slice(at, at + size());
    at += some.length;
    for (const { file } of scenarios) yield { file, seeds: some };
  }
  return undefined;
}

async function runRange(
  { file, seeds }: Range,
  plan: QueuedSweep,
  context: Context,
  note: (result: TaskResult) => void,
): Promise<void> {
  const { queue, hashes, recorder } = context;
  const scenario = hashes.get(file);
  if (scenario === undefined) return;
  const { build, owner } = queue;
  const { isTwice } = plan;
  const payload = { build, owner, limitMs: RUN_PATIENCE_MS, file, scenario, seeds, isTwice };
  const outcome = await queue.run({ kind: "sweep", ...payload });
  if (outcome.kind === "withdrawn") return;
  const results = outcome.kind === "returned" ? readSweepResults(outcome.value, seeds) : undefined;
  if (results !== undefined) {
    for (const [i, result] of results.entries()) {
      note(result);
      await recorder.record(file, seeds[i] ?? 0, result);
    }
  } else if (seeds.length > 1) {
    // One of the seeds may end its worker: each is run alone.
    await Promise.all(seeds.map((seed) => runRange({ file, seeds: [seed] }, plan, context, note)));
  } else {
    const why =
      outcome.kind === "failed"
        ? `no worker could run it: ${outcome.why}`
        : "a worker returned no result";
    await recorder.record(file, seeds[0] ?? 0, { verdict: "fail", hash: "", wall_ms: 0, why });
  }
}

interface Recorder {
  record(file: string, seed: number, result: TaskResult): Promise<void>;
  end(): Promise<void>;
}

/** Records the runs that failed, one after the other in a process of this machine. */
function createRecorder({ keepFor, record }: SweepAccount): Recorder {
  const job = createJob();
  let last = Promise.resolve();
  let isEnded = false;
  const repeat = async (file: string, seed: number, result: TaskResult): Promise<TaskResult> => {
    const keep = keepFor(file, seed);
    if (keep === undefined || isEnded) return result;
    const again = await job.run({ file, seed, keep, isTwice: false });
    const isSame = again.hash === result.hash || result.hash === "";
    const different = isSame
      ? ""
      : `a worker's run had the hash ${result.hash}, this machine's ${again.hash}`;
    const why = [different, isSame && again.verdict !== "pass" ? again.why : result.why];
    const { bundle } = again;
    return {
      ...result,
      why: why.filter((part) => part !== "").join("; "),
      ...(bundle === undefined ? {} : { bundle }),
    };
  };
  return {
    record: async (file, seed, result) => {
      if (isEnded) return;
      if (result.verdict === "pass") return record(file, seed, result);
      const one = last.then(() => repeat(file, seed, result));
      last = one.then(
        () => undefined,
        () => undefined,
      );
      const recorded = await one;
      if (!isEnded) await record(file, seed, recorded);
    },
    end: async () => {
      isEnded = true;
      await job.end();
    },
  };
}
