/**
 * Report of this node's applied index to the elected cluster manager: once for each index, and again to a newly elected
 * one, which knows nothing of earlier reports. A lost report is made up for by the next follower check.
 */
import type { Transport } from "@orrery/ports";
import { actions, StateApplied } from "@orrery/protocol";
import type { NodeId } from "@orrery/stdx";
import type { AppliedLog } from "./applied-log.ts";

/**
 * Returns the function that reports an applied entry to the elected cluster manager. It sends no report to the local
 * node, which counts itself.
 */
export function createAppliedReport(
  transport: Transport,
  localId: NodeId,
): (to: NodeId | undefined, log: Pick<AppliedLog, "index" | "state">) => void {
  let reported = { managerId: "" as NodeId, index: 0 };
  return (to, { index, state }) => {
    if (to === undefined || to === localId) return;
    if (to === reported.managerId && index === reported.index) return;
    reported = { managerId: to, index };
    const report = StateApplied.encode({ index, version: state.version }).finish();
    transport.send(to, actions.stateApplied, report, "state");
  };
}
