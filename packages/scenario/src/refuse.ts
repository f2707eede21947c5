/** Whether a world can do all that a plan asks for. What it cannot do is named before anything starts. */
import { unreachable } from "@orrery/stdx";
import { rowOf } from "./faults/table.ts";
import type { Fault } from "./faults/fault.ts";
import type { Action, Condition, Plan, TimelineEntry, Trigger } from "./plan.ts";
import type { WorldName } from "./world.ts";
import type { Clients } from "./workloads/workload.ts";
import { capabilities } from "./worlds.ts";

/** Why this world cannot run the plan, in a sentence. */
export function refusalOf(plan: Plan, world: WorldName): string | undefined {
  if (!plan.worlds.includes(world))
    return `the scenario [${plan.name}] is for [${plan.worlds.join(", ")}], not for the world [${world}]`;
  for (const fault of faultsOf(plan)) {
    const missing = rowOf(fault).needs.find((need) => !capabilities[world].has(need));
    if (missing === undefined) continue;
    const need = missing === fault.kind ? "" : `, which needs [${missing}]`;
    return `the world [${world}] cannot do the fault [${fault.kind}]${need}`;
  }
  return undefined;
}

/** Whether a condition waits for messages, timers or syncs: a live world does not tell of them unless somebody listens. */
export function waitsForDetails(plan: Plan): boolean {
  return plan.timeline.flatMap(conditionOf).some(isOnDetails);
}

function faultsOf({ faults, timeline }: Plan): readonly Fault[] {
  const scripted = timeline.flatMap(({ action }) => (action.kind === "fault" ? action.fault : []));
  return [...faults.map(({ fault }) => fault), ...scripted];
}

function conditionOf({ trigger }: TimelineEntry): readonly Condition[] {
  return trigger.kind === "when" ? [trigger.condition] : [];
}

/** What network, clock and disk tell, and not the node. */
const details: ReadonlySet<unknown> = new Set([
  ...["message-sent", "message-delivered", "message-dropped", "connection-opened"],
  ...["connection-closed", "timer-fired", "disk-synced", "disk-failed"],
]);

function isOnDetails({ event }: Condition): boolean {
  return event !== undefined && details.has(event["kind"]);
}

/** The end of what is planned to happen in the phase of faults, and a moment more. */
const MOMENT_MS = 2000;

/**
 * The plan for a world where time is real: when all that happens has ended, what is left of the phase of faults is not waited
 * for. A plan that must see a long quiet time is for the simulation.
 */
export function inRealTime(plan: Plan): Plan {
  const { phases, faults, timeline, workload } = plan;
  const ended = new Set(timeline.flatMap(({ action }) => (action.kind === "end" ? action.id : [])));
  const ends = [
    ...faults.map(({ trigger, forMs }) => lastOf(trigger) + (forMs ?? Infinity)),
    ...workload.map(
      (clients) => clients.fromMs + Math.min(clients.forMs ?? Infinity, requestsMs(clients)),
    ),
    ...timeline.map(({ trigger, action }) => lastOf(trigger) + lengthOf(action, ended)),
  ];
  const faultsMs = Math.min(phases.faultsMs, Math.max(0, ...ends) + MOMENT_MS);
  return { ...plan, phases: { ...phases, faultsMs } };
}

/** How long so many requests take, if each is answered as soon as the next one is due. */
function requestsMs({ requests = Infinity, everyMs }: Clients): number {
  return 2 * requests * everyMs;
}

/** When it happens for the last time; what follows upon something else is waited for in any case. */
function lastOf(trigger: Trigger): number {
  switch (trigger.kind) {
    case "at":
      return trigger.atMs;
    case "within":
      return trigger.toMs;
    case "every":
      return trigger.toMs ?? Infinity;
    case "when":
      return Infinity;
    case "then":
      return 0;
    default:
      return unreachable(trigger);
  }
}

/** How long it lasts, where nobody waits for its end. */
function lengthOf(action: Action, ended: ReadonlySet<string>): number {
  if (action.kind !== "fault") return 0;
  const isEnded = action.id !== undefined && ended.has(action.id);
  return action.forMs ?? (isEnded ? 0 : Infinity);
}
