/**
 * Run of a plan in the simulation.
 *
 * A run is a function of plan, seed and program: equal inputs give equal hashes.
 */
import { createSimulation, setTraps, thisMachine, turnOfTheMachine } from "@orrery/simulator";
import { judgesOf } from "./checkers/applying.ts";
import { nothingWritten } from "./checkers/nothing-written.ts";
import { acknowledgedWrites, isWrite } from "./history.ts";
import { observeStates, type OnState } from "./observe.ts";
import type { Plan } from "./plan.ts";
import type { Lab } from "./shape.ts";
import { createSimulatedWorld } from "./simulated-world.ts";
import { newRunResult, executePlan, watchRun, type RunResult } from "./execute-plan.ts";
import type { Verdict, VerdictName } from "./verdict.ts";
import { createWatchers, type NewsEvent } from "./watchers.ts";
import type { RecordedEvent } from "./world.ts";

export interface RunOptions extends Lab {
  /** Receives one line of JSON for each event. */
  readonly onLine?: (line: string) => void;
  readonly onEvent?: (event: RecordedEvent) => void;
  /** Receives all events except the frequent traffic of messages, timers and syncs. */
  readonly onNews?: (event: NewsEvent) => void;
  /** Receives each version of the cluster state, once the first node has applied it. */
  readonly onState?: OnState;
}

/** Virtual time beyond that of the plan after which the run counts as hanging. */
const PATIENCE_MS = 600_000;

/**
 * Runs the plan in the simulation until it has ended or a finding was recorded. An error of the run
 * becomes a finding.
 */
export async function runScenario(
  plan: Plan,
  seed: number,
  options: RunOptions = {},
): Promise<Verdict> {
  const result = newRunResult(options.checkers);
  const { findings } = result;
  const watchers = createWatchers();
  if (options.onEvent) watchers.watch(options.onEvent);
  if (options.onNews) watchers.watchNews(options.onNews);
  const simulation = createSimulation({
    seed,
    onEvent: watchers.hear,
    isHeard: watchers.isHeard,
    ...(options.onLine ? { onLine: options.onLine } : {}),
    ...(options.product ? { product: options.product } : {}),
  });
  const world = createSimulatedWorld(simulation, plan, watchers);
  if (options.onState) watchers.watch(observeStates(simulation, world, options.onState));
  const { queue, recorder } = simulation;
  const note = (says: string): void => void findings.push({ says, atMs: queue.nowMs });
  const onStray = (error: unknown): void => note(describe(error));
  const endStray = thisMachine.onUnhandled(onStray);
  const { faultsMs, convergeMs, quietMs = 0 } = plan.phases;
  const patienceMs = PATIENCE_MS + faultsMs + quietMs + 3 * convergeMs;
  const removeTraps = setTraps();
  try {
    const ended = { is: false };
    watchRun(plan, world, result);
    const execution = executePlan(plan, world, result).then(
      () => (ended.is = true),
      (error: unknown) => {
        note(describe(error));
        ended.is = true;
      },
    );
    await queue.run(patienceMs, () => ended.is || findings.length > 0);
    if (!ended.is && findings.length === 0)
      note(`the run did not end within ${patienceMs / 1000} s of virtual time`);
    if (ended.is) await execution;
  } catch (error) {
    note(describe(error));
  } finally {
    removeTraps();
    simulation.end();
    // The last unhandled rejections are reported in this turn.
    await turnOfTheMachine();
    endStray();
  }
  return judgeRun(plan, result, {
    seed,
    world: "sim",
    hash: recorder.hash,
    events: recorder.events,
    virtual_ms: Math.round(queue.nowMs),
    tail: recorder.tail,
  });
}

interface Figures extends Pick<Verdict, "seed" | "world" | "hash" | "events" | "virtual_ms"> {
  /** Last lines of the trace. */
  readonly tail: readonly string[];
}

/** Verdict of a run's result. */
export function judgeRun(plan: Plan, result: RunResult, { tail, ...figures }: Figures): Verdict {
  const { findings, receipts, history } = result;
  const acknowledged = acknowledgedWrites(history).length;
  const doubts =
    findings.length > 0
      ? []
      : [...doubtsOfFaults(result), ...doubtsOfWrites(plan, result, acknowledged)];
  const writesThat = (outcome: string): number =>
    history.operations.filter((one) => isWrite(one) && one.outcome === outcome).length;
  const [first] = findings;
  const unlessFailed: VerdictName = doubts.length > 0 ? "inconclusive" : "pass";
  return {
    verdict: first === undefined ? unlessFailed : "fail",
    scenario: plan.name,
    ...figures,
    operations: history.operations.length,
    acknowledged,
    failed_writes: writesThat("failed"),
    unanswered_writes: writesThat("unknown"),
    findings,
    doubts,
    receipts,
    ...(first ? { failure: sentenceOf(first) } : {}),
    last_events: first ? tail : [],
  };
}

/**
 * Reasons that the run is inconclusive: a fault without effect. A repeated fault took effect if one of its injections
 * did.
 */
function doubtsOfFaults({ doubts, receipts }: RunResult): readonly string[] {
  const effective = new Set(receipts.flatMap(({ place, hits }) => (hits > 0 ? place : [])));
  const silent = receipts.flatMap(({ fault, description, place, startedMs }) =>
    effective.has(place)
      ? []
      : [`fault [${fault}] at ${Math.round(startedMs)} ms never took effect: ${description}`],
  );
  return [...doubts, ...silent];
}

/** Reason that the run is inconclusive: no write was acknowledged, and a named checker judges only writes. */
function doubtsOfWrites(
  plan: Plan,
  { checkers }: RunResult,
  acknowledged: number,
): readonly string[] {
  const judge = judgesOf(plan, checkers).find(
    ({ name, complaint }) => complaint === nothingWritten && plan.checkers.includes(name),
  );
  if (judge === undefined || acknowledged > 0) return [];
  return [`no write was acknowledged, and [${judge.name}] judges nothing else`];
}

function sentenceOf({ invariant, checker, says }: RunResult["findings"][number]): string {
  const who = [invariant, checker].filter((part) => part !== undefined).join(", ");
  return who === "" ? says : `${who}: ${says}`;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
