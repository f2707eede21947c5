/** Every fault that a plan names, wherever it does. */
import type { Fault } from "../faults/fault.ts";
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
  return isAccepted || faultsOf(plan).some(({ kind }) => losing.has(kind));
}

const losing: ReadonlySet<Fault["kind"]> = new Set<Fault["kind"]>([
  ...(["lose-data", "remove-node", "bit-rot", "store-rot", "torn-write"] as const),
  ...(["sync-failure", "lost-directory-entry", "read-error"] as const),
]);
