/** Check that a world has all capabilities that a plan needs, before anything starts. */
import { rowOf } from "./faults/table.ts";
import type { Fault } from "./faults/fault.ts";
import type { Condition, Plan, TimelineEntry } from "./plan.ts";
import type { WorldName } from "./world.ts";
import { capabilities } from "./worlds.ts";

/** Reason why this world cannot run the plan, in a sentence; `undefined` if it can. */
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

/** True if a condition waits for messages, timers or syncs: a live world records these only on request. */
export function waitsForDetails(plan: Plan): boolean {
  return [...plan.faults, ...plan.timeline].flatMap(conditionOf).some(isOnDetails);
}

function faultsOf({ faults, timeline }: Plan): readonly Fault[] {
  const scripted = timeline.flatMap(({ action }) => (action.kind === "fault" ? action.fault : []));
  return [...faults.map(({ fault }) => fault), ...scripted];
}

function conditionOf({ trigger }: Pick<TimelineEntry, "trigger">): readonly Condition[] {
  return trigger.kind === "when" ? [trigger.condition] : [];
}

/** Event kinds recorded by network, clock and disk, not by the node itself. */
const details: ReadonlySet<unknown> = new Set([
  ...["message-sent", "message-delivered", "message-dropped", "connection-opened"],
  ...["connection-closed", "timer-fired", "disk-synced", "disk-failed"],
]);

function isOnDetails({ event }: Condition): boolean {
  return event !== undefined && details.has(event["kind"]);
}
