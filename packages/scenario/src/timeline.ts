/**
 * Fault phase: faults and entries start at their times; faults end after their durations and leave a receipt.
 *
 * The phase ends when its time has passed and every entry of the timeline has ended; faults that still last are ended
 * then. In real time it ends as soon as no scheduled event remains. Faults and entries due at the same moment start in
 * the order of the file, faults first.
 */
import { untilHolds } from "./conditions.ts";
import { describeFault } from "./fault-shape.ts";
import type { Fault } from "./faults/fault.ts";
import { inject, rowOf } from "./faults/table.ts";
import { targetsOf } from "./faults/targets.ts";
import type { Action, Plan, TimelineEntry, Trigger } from "./plan.ts";
import { quietMsOf } from "./quiet.ts";
import { createScript, runStep, type Script } from "./steps.ts";
import type { RunResult } from "./execute-plan.ts";
import { writeTrigger } from "./trigger-shape.ts";
import type { World } from "./world.ts";

/** Runs the faults and the timeline of the fault phase. Resolves when the phase and every fault have ended. */
export async function runTimeline(plan: Plan, world: World, result: RunResult): Promise<void> {
  const phase = createPhase(plan, world, result);
  const faults = plan.faults.map(({ trigger, forMs, fault }, number) => {
    const action: Action = { kind: "fault", fault, ...(forMs === undefined ? {} : { forMs }) };
    return runEntry({ trigger, action }, namesOf("fault", number), phase);
  });
  let before: Promise<void> = Promise.resolve();
  const entries = plan.timeline.map((entry, number) => {
    before =
      entry.trigger.kind === "then"
        ? before.then(() => runAction(entry.action, namesOf("entry", number), phase))
        : runEntry(entry, namesOf("entry", number), phase);
    return before;
  });
  await sleepUntil(world, world.name === "sim" ? phase.endMs : phase.startMs + quietMsOf(plan));
  await Promise.all(entries);
  if (world.nowMs() < phase.endMs)
    await Promise.all(faults.filter((_, i) => plan.faults[i]?.trigger.kind === "when"));
  await phase.endAll();
  await Promise.all(faults);
  for (const node of world.nodes()) await world.start(node);
}

/** Names of a fault or an entry. */
interface Names {
  /** Purpose of its random stream. */
  readonly stream: string;
  /** Position in words, counted from 1. */
  readonly place: string;
}

function namesOf(what: "fault" | "entry", number: number): Names {
  const list = what === "fault" ? "the list" : "the timeline";
  return { stream: `${what}-${number}`, place: `${what} ${number + 1} of ${list}` };
}

interface Phase {
  readonly plan: Plan;
  readonly world: World;
  readonly result: RunResult;
  readonly script: Script;
  readonly startMs: number;
  readonly endMs: number;
  /** Waits until a time since the start of the phase. */
  until(atMs: number): Promise<void>;
  /** Functions that end a fault by its id, each callable once. */
  readonly named: Map<string, () => Promise<void>>;
  /** Starts a fault; `place`: the position of its entry in words. */
  start(fault: Fault, place: string): Promise<() => Promise<void>>;
  endAll(): Promise<void>;
}

function createPhase(plan: Plan, world: World, result: RunResult): Phase {
  const startMs = world.nowMs();
  const lasting = new Set<() => Promise<void>>();
  const moments = new Map<number, Promise<void>>();
  return {
    plan,
    world,
    result,
    script: createScript(),
    startMs,
    endMs: startMs + plan.phases.faultsMs,
    // Entries due at the same time share a timer: timers of equal times fire in an order drawn from the seed.
    until: (atMs) => {
      const moment = moments.get(atMs) ?? sleepUntil(world, startMs + atMs);
      moments.set(atMs, moment);
      return moment;
    },
    named: new Map(),
    start: async (fault, place) => {
      const finish = await startFault(fault, place, world, result);
      const end = async (): Promise<void> => {
        if (lasting.delete(end)) await finish();
      };
      lasting.add(end);
      return end;
    },
    endAll: async () => {
      for (const end of lasting) await end();
    },
  };
}

async function startFault(
  fault: Fault,
  place: string,
  world: World,
  { receipts }: RunResult,
): Promise<() => Promise<void>> {
  const startedMs = world.nowMs();
  const injected = await inject(fault, world);
  const description = describeFault(fault, injected.targets);
  world.record({ kind: "fault-started", fault: fault.kind, description });
  return async () => {
    const hits = await injected.hits();
    await injected.end();
    world.record({ kind: "fault-ended", fault: fault.kind, description });
    world.record({ kind: "fault-receipt", fault: fault.kind, description, hits });
    const endedMs = world.nowMs();
    receipts.push({ fault: fault.kind, description, place, startedMs, endedMs, hits });
  };
}

/** Resolves after the last occurrence and its end. */
async function runEntry(
  { trigger, action }: Pick<TimelineEntry, "trigger" | "action">,
  names: Names,
  phase: Phase,
): Promise<void> {
  const { world, startMs } = phase;
  if (trigger.kind === "every") {
    await sleepUntil(world, startMs + trigger.fromMs);
    const untilMs = startMs + Math.min(trigger.toMs ?? Infinity, phase.plan.phases.faultsMs);
    const running: Promise<void>[] = [];
    for (let turn = 0; world.nowMs() < untilMs; turn += 1) {
      running.push(runAction(action, names, phase));
      await sleepUntil(world, startMs + trigger.fromMs + (turn + 1) * trigger.everyMs);
    }
    await Promise.all(running);
    return;
  }
  if (await isTime(trigger, names, phase)) await runAction(action, names, phase);
  else
    phase.result.doubts.push(
      `${names.place} never happened: ${JSON.stringify(writeTrigger(trigger, "at"))} did not hold in its phase`,
    );
}

async function isTime(
  trigger: Exclude<Trigger, { readonly kind: "every" }>,
  { stream }: Names,
  { plan, world, startMs, endMs, until }: Phase,
): Promise<boolean> {
  switch (trigger.kind) {
    case "at":
      await until(trigger.atMs);
      return true;
    case "within": {
      const atMs = world.random(stream).int(trigger.fromMs, trigger.toMs);
      await sleepUntil(world, startMs + atMs);
      return true;
    }
    case "when":
      await sleepUntil(world, startMs + trigger.fromMs);
      return untilHolds(
        trigger.condition,
        plan,
        world,
        () => world.nowMs() >= Math.min(endMs, startMs + (trigger.toMs ?? Infinity)),
      );
    case "then":
      return true;
  }
}

async function runAction(action: Action, { place }: Names, phase: Phase): Promise<void> {
  const { world } = phase;
  switch (action.kind) {
    case "fault": {
      const end = await phase.start(action.fault, place);
      if (action.id !== undefined) phase.named.set(action.id, end);
      if (rowOf(action.fault).isInstant) await end();
      if (action.forMs === undefined) return;
      await world.sleep(action.forMs);
      await end();
      return;
    }
    case "end": {
      const end = phase.named.get(action.id);
      if (end === undefined)
        phase.result.doubts.push(`${place} ended nothing: [${action.id}] had not begun`);
      await end?.();
      return;
    }
    case "wait":
      await world.sleep(action.forMs);
      return;
    case "request":
      await step({ place, name: `${action.step.method} ${action.step.uri}` }, phase, () =>
        runStep(action.step, phase, phase.script),
      );
      return;
    default:
      await step({ place, name: `${action.kind} ${action.node}` }, phase, async () => {
        const nodes = await targetsOf(world, action.node);
        for (const node of nodes) await world[action.kind](node);
        return nodes.length > 0
          ? undefined
          : `${action.kind} ${action.node}: no node is that at the moment`;
      });
  }
}

/** Runs a step; one that fails is a finding. */
async function step(
  { place, name }: { readonly place: string; readonly name: string },
  { world, result }: Phase,
  run: () => Promise<string | undefined>,
): Promise<void> {
  world.record({ kind: "step-started", step: name });
  const trouble = await run();
  const says = trouble === undefined ? undefined : `${place}, ${trouble}`;
  const outcome = says === undefined ? "ok" : "failed";
  world.record({ kind: "step-ended", step: name, outcome });
  if (says === undefined) return;
  result.findings.push({ invariant: "INV-LAB-1", checker: "step", says, atMs: world.nowMs() });
}

async function sleepUntil(world: World, atMs: number): Promise<void> {
  const leftMs = atMs - world.nowMs();
  if (leftMs > 0) await world.sleep(leftMs);
}
