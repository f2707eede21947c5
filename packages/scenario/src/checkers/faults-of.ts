/** Every fault that a plan names, wherever it does. */
import type { Fault } from "../faults/fault.ts";
import { rowOf } from "../faults/table.ts";
import type { Plan } from "../plan.ts";

export function faultsOf({ faults, timeline }: Plan): readonly Fault[] {
  const scripted = timeline.flatMap(({ action }) =>
    action.kind === "fault" ? [action.fault] : [],
  );
  return [...faults.map(({ fault }) => fault), ...scripted];
}

/** Data may go by what the plan asks for: disks are lost, or a person accepts the loss. */
export function mayLoseData(plan: Plan): boolean {
  const isAccepted = plan.timeline.some(
    ({ action }) =>
      action.kind === "request" &&
      /accept_data_loss|allocate_(?:stale|empty)/.test(
        `${action.step.uri} ${JSON.stringify(action.step.body ?? null)}`,
      ),
  );
  return isAccepted || faultsOf(plan).some(mayTakeCopies);
}

function mayTakeCopies(fault: Fault): boolean {
  const { casualties = [] } = rowOf(fault);
  return casualties.includes("copies") || casualties.includes("rot");
}
