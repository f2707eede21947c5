/** For work nobody waits for: the engine that failed has said so itself, the copy that closed needs nothing more. */
import { OperationError } from "@orrery/stdx";

export function ignoreOperationError(error: unknown): void {
  if (!(error instanceof OperationError)) throw error;
}
