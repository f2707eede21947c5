/**
 * When the phase of faults is quiet: nothing more happens at a time then. Where time is real, the rest of the phase is not waited
 * for. A plan that must see a long quiet time is for the simulation.
 */
import { greatest, unreachable } from "@orrery/stdx";
import type { Action, Plan, Trigger } from "./plan.ts";
import type { Clients } from "./workloads/workload.ts";

/** After the end of what is planned. */
const MOMENT_MS = 2000;

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

/** How long so many requests take, if each is answered as soon as the next one is due. */
function requestsMs({ requests = Infinity, everyMs }: Clients): number {
  return 2 * requests * everyMs;
}

/** When it happens for the last time; what follows upon something else, or waits for something, is waited for in any case. */
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

/** How long it lasts, where nobody waits for its end. */
function lengthOf(action: Action, ended: ReadonlySet<string>): number {
  if (action.kind !== "fault") return 0;
  const isEnded = action.id !== undefined && ended.has(action.id);
  return action.forMs ?? (isEnded ? 0 : Infinity);
}
