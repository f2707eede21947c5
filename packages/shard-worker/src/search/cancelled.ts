/** The cancellation of a search (`TaskCancelledException`). */
import type { Cancellation } from "@orrery/ports";
import { OperationError } from "@orrery/stdx";

/**
 * Checks that the request was not cancelled.
 * @throws OperationError `task_cancelled_exception`
 */
export function checkCancelled(cancellation: Cancellation): void {
  if (!cancellation.isCancelled) return;
  throw new OperationError({
    type: "task_cancelled_exception",
    reason: `cancelled task with reason: ${cancellation.reason}`,
    status: 400,
  });
}
