/** The error for a query that is nested too deep. */
import { OperationError } from "@orrery/stdx";

/**
 * The error of a query that is nested too deep. Enclosing queries report it unchanged, instead of
 * wrapping it.
 */
export class TooDeepError extends OperationError {
  constructor(limit: number) {
    const reason = `The query depth exceeds the maximum of [${limit}]`;
    super({ type: "illegal_argument_exception", reason, status: 400 });
  }
}
