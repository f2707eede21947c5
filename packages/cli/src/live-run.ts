/**
 * Run of a plan in real time. All its processes, folders and connections are removed at its end, however it ends.
 *
 * Execution, checkers and verdict are those of the simulation. There is no hash, as such a run is not reproducible.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createRoster,
  judgeRun,
  newRunResult,
  refusalOf,
  waitsForDetails,
  executePlan,
  watchRun,
  type RunResult,
  type OnState,
  type Plan,
  type NewsEvent,
  type RecordedEvent,
  type Verdict,
  type WorldName,
  createWatchers,
} from "@orrery/scenario";
import { lab } from "./lab.ts";
import { createLiveNodes, locationIn, repositoriesIn } from "./live-nodes.ts";
import { createStateLook } from "./live-states.ts";
import { createLiveTrace } from "./live-trace.ts";
import { createLiveWorld, type LiveWorld } from "./live-world.ts";
import { sentenceOf, signalled, UsageError } from "./usage.ts";

export interface LiveRunOptions {
  readonly onEvent?: ((event: RecordedEvent) => void) | undefined;
  /** Receives all events except messages, timers and syncs. */
  readonly onNews?: ((event: NewsEvent) => void) | undefined;
  /** Receives the cluster state each time it is polled. */
  readonly onState?: OnState | undefined;
}

export type LiveWorldName = Exclude<WorldName, "sim">;

/**
 * Runs the plan. Throws `UsageError` before the start if the world lacks a capability that the plan needs, and on a
 * signal.
 */
export async function runLive(
  plan: Plan,
  seed: number,
  name: LiveWorldName,
  { onEvent, onNews, onState }: LiveRunOptions = {},
): Promise<Verdict> {
  const refusal = refusalOf(plan, name);
  if (refusal !== undefined) throw new UsageError(refusal);
  const interruption = interrupted();
  // The race below handles a rejection; after the end of the run none is handled.
  interruption.catch(() => undefined);
  const folder = mkdtempSync(join(tmpdir(), "orrery-run-"));
  const result = newRunResult(lab.checkers);
  const watchers = createWatchers();
  if (onEvent !== undefined) watchers.watch(onEvent);
  const endNews = onNews === undefined ? () => undefined : watchers.watchNews(onNews);
  const startedMs = performance.now();
  const trace = createLiveTrace(watchers);
  const note = (error: unknown): void => {
    result.findings.push({ says: describe(error), atMs: performance.now() - startedMs });
  };
  const roster = createRoster(plan);
  const nodes = await createLiveNodes({
    plan,
    roster,
    name,
    folder,
    onTrace: trace.record,
    isDetailed: onEvent !== undefined || waitsForDetails(plan),
    onTrouble: note,
  });
  const world = createLiveWorld({
    ...{ name, roster, record: trace.record, watchers, nodes: nodes.all, newNode: nodes.add },
    seed: String(seed),
    repositories: () => [repositoriesIn(folder)],
    locationOf: (location) => locationIn(folder, plan, location),
    onTrouble: note,
  });
  const look = onState === undefined ? () => undefined : createStateLook(plan, world, onState);
  try {
    await Promise.race([executeLive({ plan, world, result, look }), interruption]);
  } finally {
    trace.flush();
    // The end of the nodes is no part of the run.
    endNews();
    trace.end();
    world.end();
    await nodes.end();
    rmSync(folder, { recursive: true, force: true });
  }
  trace.flush();
  return judgeRun(plan, result, {
    ...{ seed, world: name, hash: "" },
    events: trace.events,
    virtual_ms: Math.round(performance.now() - startedMs),
    tail: trace.tail,
  });
}

const LOOK_EVERY_MS = 50;

interface ExecutionOptions {
  readonly plan: Plan;
  readonly world: LiveWorld;
  readonly result: RunResult;
  readonly look: () => void;
}

/** Resolves when the plan has been executed, or a finding was recorded. */
async function executeLive({ plan, world, result, look }: ExecutionOptions): Promise<void> {
  const { findings } = result;
  const ended = { is: false };
  watchRun(plan, world, result);
  const patienceMs = plan.phases.faultsMs + 4 * plan.phases.convergeMs;
  const execution = executePlan(plan, world, result).then(
    () => (ended.is = true),
    (error: unknown) => {
      findings.push({ says: describe(error), atMs: world.nowMs() });
      ended.is = true;
    },
  );
  while (!ended.is && findings.length === 0 && world.nowMs() < patienceMs) {
    look();
    await world.sleep(LOOK_EVERY_MS);
  }
  if (ended.is) await execution;
  else if (findings.length === 0)
    findings.push({ says: `the run did not end within ${patienceMs / 1000} s`, atMs: patienceMs });
}

async function interrupted(): Promise<never> {
  await signalled();
  throw new UsageError("the run was interrupted");
}

function describe(error: unknown): string {
  return (
    sentenceOf(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
  );
}
