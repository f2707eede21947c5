/**
 * Time after which no scheduled event of the fault phase remains. In real time the rest of the phase is skipped; a plan
 * that needs a long quiet time runs in the simulation.
 */
import { greatest, unreachable } from "@orrery/stdx";
import type { Action, Plan, Trigger } from "./plan.ts";
import type { Clients } from "./workloads/workload.ts";

/** Margin after the last planned event. */
const MOMENT_MS = 2000;

/** Time after which the fault phase has no scheduled event, at most its duration. */
export function quietMsOf({ phases, faults, timeline, workload }: Plan): number {
  const ended = new Set(timeline.flatMap(({ action }) => (action.kind === "end" ? action.id : [])));
  const ends = [
    ...faults.map(({ trigger, forMs }) => lastOf(trigger) + (forMs ?? Infinity)),
    ...workload.map(
      (clients) => clients.fromMs + Math.min(clients.forMs ?? Infinity, requestsMs(clients)),
    ),
    ...timeline.map(({ trigger, action }) => lastOf(trigger) + lengthOf(action, ended)),
  ];
  return Math.min(phases.faultsMs, Math.max(0, greatest(ends)) + MOMENT_MS);
}

/** Duration of a number of requests, if each is answered before the next is due. */
function requestsMs({ requests = Infinity, everyMs }: Clients): number {
  return 2 * requests * everyMs;
}

/** Time of the last occurrence; entries that follow another or wait for a condition are awaited anyway. */
function lastOf(trigger: Trigger): number {
  switch (trigger.kind) {
    case "at":
      return trigger.atMs;
    case "within":
      return trigger.toMs;
    case "every":
      return trigger.toMs ?? Infinity;
    case "when":
    case "then":
      return 0;
    default:
      return unreachable(trigger);
  }
}

/** Duration of an action whose end is not awaited otherwise. */
function lengthOf(action: Action, ended: ReadonlySet<string>): number {
  if (action.kind !== "fault") return 0;
  const isEnded = action.id !== undefined && ended.has(action.id);
  return action.forMs ?? (isEnded ? 0 : Infinity);
}
