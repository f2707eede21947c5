/** The end of a search whose requester has given up. Source: `TaskCancelledException`. */
import type { Cancellation } from "@orrery/ports";
import { OperationError } from "@orrery/stdx";

export function checkCancelled(cancellation: Cancellation): void {
  if (!cancellation.isCancelled) return;
  throw new OperationError({
    type: "task_cancelled_exception",
    reason: `cancelled task with reason: ${cancellation.reason}`,
    status: 400,
  });
}
