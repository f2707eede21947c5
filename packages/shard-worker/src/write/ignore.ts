/**
 * Rejections of background work: an engine that failed has reported itself, and a copy that is closed needs nothing
 * more.
 */
import { OperationError } from "@orrery/stdx";

/** Ignores operating errors; a bug is thrown on. */
export function ignoreOperationError(error: unknown): void {
  if (!(error instanceof OperationError)) throw error;
}
