/** Run of a scenario with its outputs: a trace, a bundle. */
import {
  refusalOf,
  runScenario,
  writePlan,
  type ClusterView,
  type OnState,
  type RecordedEvent,
  type Verdict,
  type WorldName,
} from "@orrery/scenario";
import type { BundleWriter } from "@orrery/bundle";
import { lab } from "./lab.ts";
import type { ScenarioFile } from "./scenario-file.ts";
import { UsageError } from "./usage.ts";
import { version } from "./version.ts";

export interface RunOutputs {
  /** Path of the bundle. */
  readonly record?: string | undefined;
  readonly onEvent?: ((event: RecordedEvent) => void) | undefined;
  /** Receives cluster states, and events at least without messages, timers and syncs. */
  readonly story?: StoryListener | undefined;
  /** World of the run; default: the simulation. */
  readonly world?: WorldName;
}

/** Listener of the events and cluster states that a story is made of. A run that is recorded passes all events. */
export interface StoryListener {
  event(event: RecordedEvent): void;
  state(atMs: number, state: ClusterView & { readonly cluster: string }): void;
}

/** Verdict with the wall time of the run. */
export interface TimedVerdict extends Verdict {
  readonly wall_ms: number;
}

/**
 * Runs a scenario. Throws `OperationError` or `UsageError` before the start if the world lacks a capability, or the
 * bundle cannot be written.
 */
export async function recordRun(
  scenario: ScenarioFile,
  seed: number,
  { record, onEvent, story, world = "sim" }: RunOutputs = {},
): Promise<TimedVerdict> {
  checkWorld(scenario, world);
  const writer =
    record === undefined ? undefined : await openWriter(scenario, { seed, path: record, world });
  const removePart = writer === undefined ? () => undefined : abandonAtExit(writer.abandon, world);
  const startedAt = performance.now();
  try {
    const watchers = watching(scenario, { writer, onEvent, story });
    const verdict = await runIn(world, scenario, seed, watchers);
    const timed = { ...verdict, wall_ms: Math.round(performance.now() - startedAt) };
    writer?.finish({
      ...verdict,
      virtualMs: verdict.virtual_ms,
      wallMs: timed.wall_ms,
    });
    return timed;
  } finally {
    removePart();
  }
}

/** Rejects a plan that the world cannot run, with the missing capability by name. */
export function checkWorld({ plan }: ScenarioFile, world: WorldName): void {
  const refusal = refusalOf(plan, world);
  if (refusal !== undefined) throw new UsageError(refusal);
}

async function runIn(
  world: WorldName,
  { plan }: ScenarioFile,
  seed: number,
  options: RunOptions,
): Promise<Verdict> {
  if (world === "sim") return runScenario(plan, seed, { ...lab, ...options });
  const { runLive } = await import("./live-run.ts");
  return runLive(plan, seed, world, options);
}

/** Removes partial files when the process is interrupted. Returns the function to call when the run has ended. */
export function abandonAtExit(abandon: () => void, world: WorldName): () => void {
  // A run in real time ends in an orderly way on a signal, and then returns here.
  const signals = world === "sim" ? (["SIGINT", "SIGTERM", "SIGHUP"] as const) : [];
  const stop = (): void => process.exit(130);
  process.once("exit", abandon);
  for (const signal of signals) process.once(signal, stop);
  return () => {
    abandon();
    process.off("exit", abandon);
    for (const signal of signals) process.off(signal, stop);
  };
}

type RunOptions = NonNullable<Parameters<typeof runScenario>[2]>;

/** Options that record only what is kept. */
function watching({ plan }: ScenarioFile, { writer, onEvent, story }: Listeners): RunOptions {
  const isOnly = plan.clusters.length === 1;
  const onAll =
    writer === undefined
      ? onEvent
      : (event: RecordedEvent): void => {
          writer.event(event);
          onEvent?.(event);
          story?.event(event);
        };
  const onState: OnState = (atMs, cluster, view) => {
    const state = { ...view, cluster: isOnly ? "" : cluster };
    writer?.state(atMs, state);
    story?.state(atMs, state);
  };
  return {
    ...(onAll === undefined ? {} : { onEvent: onAll }),
    ...(story === undefined || writer !== undefined ? {} : { onNews: story.event }),
    ...(writer === undefined && story === undefined ? {} : { onState }),
  };
}

interface Listeners extends Pick<RunOutputs, "onEvent" | "story"> {
  readonly writer: BundleWriter | undefined;
}

async function openWriter(
  { file, source, plan }: ScenarioFile,
  {
    seed,
    path,
    world,
  }: { readonly seed: number; readonly path: string; readonly world: WorldName },
): Promise<BundleWriter> {
  const { createBundle } = await import("@orrery/bundle");
  return createBundle(path, {
    scenario: plan.name,
    claim: plan.claim,
    file,
    source,
    plan: JSON.stringify(writePlan(plan)),
    seed,
    world,
    programVersion: version,
  });
}
