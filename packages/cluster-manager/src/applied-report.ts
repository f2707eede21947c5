/** Tells the elected cluster manager how far this node has applied the log: once for each index and cluster manager. */
import type { Transport } from "@orrery/ports";
import { actions, StateApplied } from "@orrery/protocol";
import type { NodeId } from "@orrery/stdx";
import type { AppliedLog } from "./applied-log.ts";

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
