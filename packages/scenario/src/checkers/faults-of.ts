/** Faults of a plan, from its list and from its timeline. */
import type { Fault } from "../faults/fault.ts";
import { rowOf } from "../faults/table.ts";
import type { Plan } from "../plan.ts";
import { requestsOf } from "./requests-of.ts";

export function faultsOf({ faults, timeline }: Plan): readonly Fault[] {
  const scripted = timeline.flatMap(({ action }) =>
    action.kind === "fault" ? [action.fault] : [],
  );
  return [...faults.map(({ fault }) => fault), ...scripted];
}

/**
 * True if the plan may lose documents for good: a fault has the casualty `copies` or `rot`, or a request accepts data
 * loss.
 */
export function mayLoseData(plan: Plan): boolean {
  const isAccepted = requestsOf(plan).some(({ uri, body }) =>
    /accept_data_loss|allocate_(?:stale|empty)/.test(`${uri} ${JSON.stringify(body ?? null)}`),
  );
  return isAccepted || faultsOf(plan).some(mayTakeCopies);
}

function mayTakeCopies(fault: Fault): boolean {
  const { casualties = [] } = rowOf(fault);
  return casualties.includes("copies") || casualties.includes("rot");
}
