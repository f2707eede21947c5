/** The phase of faults: each starts at its time and ends after it; its receipt says what it did. */
import { inject } from "./faults/table.ts";
import type { Fault, Injected } from "./faults/fault.ts";
import type { Plan, TimedFault, Trigger } from "./plan.ts";
import type { Account } from "./story.ts";
import type { World } from "./world.ts";

/** Resolves when the phase is over and every fault has ended. */
export async function runTimeline(plan: Plan, world: World, account: Account): Promise<void> {
  const startMs = world.nowMs();
  const endMs = startMs + plan.phases.faultsMs;
  const faults = plan.faults.map((fault, i) =>
    runFault(fault, i, { world, account, startMs, endMs }),
  );
  await sleepUntil(world, endMs);
  await Promise.all(faults);
}

interface Phase {
  readonly world: World;
  readonly account: Account;
  readonly startMs: number;
  readonly endMs: number;
}

async function runFault(
  { trigger, forMs, fault }: TimedFault,
  number: number,
  phase: Phase,
): Promise<void> {
  const { world, startMs, endMs } = phase;
  await sleepUntil(world, startMs + timeOf(trigger, world, number));
  const atMs = world.nowMs();
  const end = await startFault(fault, phase);
  await sleepUntil(world, forMs === undefined ? endMs : Math.min(endMs, atMs + forMs));
  await end();
}

function timeOf(trigger: Trigger, world: World, number: number): number {
  if (trigger.kind === "at") return trigger.atMs;
  if (trigger.kind === "within")
    return world.random(`fault-${number}`).int(trigger.fromMs, trigger.toMs);
  return 0;
}

async function startFault(fault: Fault, { world, account }: Phase): Promise<() => Promise<void>> {
  const startedMs = world.nowMs();
  const injected: Injected = await inject(fault, world);
  const description = JSON.stringify({ ...fault, targets: injected.targets });
  world.record({ kind: "fault-started", fault: fault.kind, description });
  return async () => {
    const hits = await injected.hits();
    await injected.end();
    world.record({ kind: "fault-ended", fault: fault.kind, description });
    world.record({ kind: "fault-receipt", fault: fault.kind, description, hits });
    const endedMs = world.nowMs();
    account.receipts.push({ fault: fault.kind, description, startedMs, endedMs, hits });
  };
}

async function sleepUntil(world: World, atMs: number): Promise<void> {
  const leftMs = atMs - world.nowMs();
  if (leftMs > 0) await world.sleep(leftMs);
}
