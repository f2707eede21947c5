/** Carries out the jobs of a queue in processes of this machine, one job in each slot. */
import { readSketch, type Sketch } from "@orrery/scenario";
import type { Redis } from "ioredis";
import { createJobProcess } from "../job-process.ts";
import { lab } from "../lab.ts";
import { exploreProgram } from "../explore/program.ts";
import type { Task as ExploreTask, TaskResult as ExploreResult } from "../explore/messages.ts";
import { createJob } from "../sweep/jobs.ts";
import type { Task, TaskResult } from "../sweep/messages.ts";
import {
  hashOf,
  MOST_TEXT_BYTES,
  MOST_TOTAL_BYTES,
  OWNER_GONE,
  type ExplorePayload,
  type Payload,
  type SweepPayload,
} from "./payload.ts";
import { isPresent, textOf } from "./presence.ts";

/** Reason why a job is refused. Another worker would refuse it as well. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

export interface Slot {
  /** Value to return to the owner. Throws `RefusedError`. */
  run(payload: Payload, signal: AbortSignal): Promise<readonly TaskResult[] | ExploreResult>;
  end(): Promise<void>;
}

export function createSlot(redis: Redis): Slot {
  // One process at a time: a kept process of another kind would only take memory.
  let current: Runner | undefined;
  const runnerFor = async (payload: Payload): Promise<Runner> => {
    const key = `${payload.kind} ${payload.limitMs}`;
    if (current?.key === key) return current;
    await current?.end();
    current = payload.kind === "sweep" ? sweepRunner(key, payload) : exploreRunner(key, payload);
    return current;
  };
  return {
    run: async (payload, signal) => {
      const runner = await runnerFor(payload);
      const stop = (): void => void runner.end();
      signal.addEventListener("abort", stop, { once: true });
      try {
        if (payload.kind === "sweep" && runner.kind === "sweep")
          return await runSeeds(redis, payload, { runner, signal });
        if (payload.kind === "explore" && runner.kind === "explore")
          return await runTrial(payload, runner);
        throw new RefusedError("the job is refused: its kind is unknown");
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    end: async () => {
      await current?.end();
    },
  };
}

type Runner = SweepRunner | ExploreRunner;

interface SweepRunner {
  readonly kind: "sweep";
  readonly key: string;
  run(task: Task): Promise<TaskResult>;
  end(): Promise<unknown>;
}

interface ExploreRunner {
  readonly kind: "explore";
  readonly key: string;
  run(task: ExploreTask): Promise<ExploreResult | string>;
  end(): Promise<unknown>;
}

function sweepRunner(key: string, { limitMs }: SweepPayload): SweepRunner {
  return { kind: "sweep", key, ...createJob(limitMs) };
}

function exploreRunner(key: string, { limitMs }: ExplorePayload): ExploreRunner {
  const program = { ...exploreProgram, patienceMs: limitMs };
  return { kind: "explore", key, ...createJobProcess<ExploreTask, ExploreResult>(program) };
}

async function runSeeds(
  redis: Redis,
  payload: SweepPayload,
  { runner, signal }: { readonly runner: SweepRunner; readonly signal: AbortSignal },
): Promise<readonly TaskResult[]> {
  const { file, seeds, isTwice } = payload;
  const texts = await textsOf(redis, payload);
  const results: (TaskResult & { readonly seed: number })[] = [];
  for (const seed of seeds) {
    signal.throwIfAborted();
    const result = await runner.run({ file, texts, seed, keep: undefined, isTwice });
    results.push({ ...result, seed });
  }
  // An aborted run ended with its process, not by itself.
  signal.throwIfAborted();
  return results;
}

type Texts = NonNullable<Task["texts"]>;

/** Fetches the texts of a scenario from the record of its owner, and checks them. */
async function textsOf(redis: Redis, { owner, scenario }: SweepPayload): Promise<Texts> {
  let left = MOST_TOTAL_BYTES;
  const fetch = async (name: string, hash: string): Promise<string> => {
    const text = await textOf(redis, owner, { hash, mostBytes: Math.min(left, MOST_TEXT_BYTES) });
    if (text === undefined && !(await isPresent(redis, "owner", owner)))
      throw new RefusedError(OWNER_GONE);
    if (text === undefined)
      throw new RefusedError(
        `the job is refused: the queue has no text of [${name}], or one too large`,
      );
    if (hashOf(text) !== hash)
      throw new RefusedError(
        `the job is refused: the text of [${name}] has not the hash of the job`,
      );
    left -= Buffer.byteLength(text);
    return text;
  };
  const source = await fetch("the scenario", scenario.source);
  const files: [string, string][] = [];
  for (const [name, hash] of scenario.files) files.push([name, await fetch(name, hash)]);
  return { source, files: Object.fromEntries(files), hash: hashOf(JSON.stringify(scenario)) };
}

async function runTrial(payload: ExplorePayload, runner: ExploreRunner): Promise<ExploreResult> {
  const { action, seed, budgetMs } = payload;
  const sketch: Sketch | undefined = readSketch(payload.sketch, lab);
  if (sketch === undefined)
    throw new RefusedError("the job is refused: its plan cannot be run by this version");
  const task: ExploreTask =
    action === "run" ? { kind: "run", sketch, seed } : { kind: "shrink", sketch, seed, budgetMs };
  const result = await runner.run(task);
  if (typeof result !== "string") return result;
  await runner.end();
  return { kind: "broken", why: result };
}
