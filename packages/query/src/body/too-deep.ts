/** The refusal of a query that is nested too deep. */
import { OperationError } from "@orrery/stdx";

/** Not told again by every query around the one that was too deep. */
export class TooDeepError extends OperationError {
  constructor(limit: number) {
    const reason = `The query depth exceeds the maximum of [${limit}]`;
    super({ type: "illegal_argument_exception", reason, status: 400 });
  }
}
